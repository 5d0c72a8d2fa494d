"""What engines have found, held against the genomes: a word too few, or a match too many, is seen."""

from dataclasses import replace

import pytest

import shardwater
from shardwater.errors import EngineError
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.checked import check_letters, check_words, words_of
from shardwater.genomes.gapped import GappedScoring, align_boxes
from shardwater.pairs.cpu import CpuPairs
from shardwater.steps import finish
from tests.support.genomes import generated, genome

QUERY, SUBJECT = genome("ACGTNACGTTACG", generated(1, 300)), genome(generated(1, 300), "AC")
FOUND = shardwater.compare(QUERY, SUBJECT)
ALIGNED = finish(align_boxes(QUERY, SUBJECT, FOUND.hsps, GappedScoring(), CpuPairs(1)))


def test_words_are_stretches_of_known_letters_of_one_record() -> None:
    assert words_of(genome("ACGTNACGTTACG", "", "AC", "NN", "ACGT"), 4) == 1 + 5 + 1
    assert words_of(genome(), 8) == 0


def test_what_was_found_is_let_pass() -> None:
    check_words(QUERY, SUBJECT, FOUND.comparison, FOUND.counts)
    check_letters(QUERY, SUBJECT, Alignments.of_hsps(FOUND.hsps))
    check_letters(QUERY, SUBJECT, ALIGNED)


def test_a_word_too_few_is_seen() -> None:
    with pytest.raises(EngineError, match="words were listed"):
        check_words(
            QUERY, SUBJECT, FOUND.comparison, [replace(FOUND.counts[0], query_words=FOUND.counts[0].query_words - 1)]
        )


def test_a_match_too_many_is_seen() -> None:
    rows = Alignments.of_hsps(FOUND.hsps)
    rows.rows["matches"] -= 1
    with pytest.raises(EngineError, match="equal letters"):
        check_letters(QUERY, SUBJECT, rows)


def test_an_alignment_elsewhere_is_seen() -> None:
    rows = ALIGNED.rows.copy()
    for place in ("subject", "subject_end"):
        rows[place] -= 1
    with pytest.raises(EngineError, match="equal letters"):
        check_letters(QUERY, SUBJECT, Alignments(rows, ALIGNED.runs))
