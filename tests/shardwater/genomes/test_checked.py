"""What engines have found, held against the genomes: a word too few, or a match too many, is seen."""

from dataclasses import replace

import numpy as np
import pytest

import shardwater
from shardwater.errors import EngineError
from shardwater.genomes.checked import check_found, words_of
from shardwater.genomes.hsps import Hsps
from tests.support.genomes import generated, genome

QUERY, SUBJECT = genome("ACGTNACGTTACG", generated(1, 300)), genome(generated(1, 300), "AC")
FOUND = shardwater.compare(QUERY, SUBJECT)


def check(counts=FOUND.counts, hsps=FOUND.hsps):
    check_found(QUERY, SUBJECT, FOUND.comparison, counts, hsps)


def test_words_are_stretches_of_known_letters_of_one_record() -> None:
    assert words_of(genome("ACGTNACGTTACG", "", "AC", "NN", "ACGT"), 4) == 1 + 5 + 1
    assert words_of(genome(), 8) == 0


def test_what_was_found_is_let_pass() -> None:
    check()


def test_a_word_too_few_is_seen() -> None:
    with pytest.raises(EngineError, match="words were listed"):
        check(counts=[replace(FOUND.counts[0], query_words=FOUND.counts[0].query_words - 1)])


def test_a_match_too_many_is_seen() -> None:
    rows = FOUND.hsps.rows.copy()
    rows["subject"] = np.maximum(0, rows["subject"] + 1)
    with pytest.raises(EngineError, match="equal ones"):
        check(hsps=Hsps(rows))
