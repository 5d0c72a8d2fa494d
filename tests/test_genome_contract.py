"""What every engine of genomes must do, whatever computes: the list of HSPs and the counts of decision 042."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from shardwater.genomes import comparison as bounds
from shardwater.genomes.compare import Compared, compare
from shardwater.genomes.comparison import Comparison, Sensitivity
from shardwater.genomes.counts import Counts
from shardwater.genomes.engine import GenomeEngine
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.merging import without_contained
from shardwater.steps import finish
from tests.support import genome_oracle
from tests.support.genome_oracle import Row
from tests.support.genomes import (
    every_replaced,
    generated,
    genome,
    kinds,
    mutated,
    random_dna,
    reverse_complement,
)

Open = Callable[..., GenomeEngine]
Found = tuple[list[Row], tuple[Counts, ...]]
KINDS = list(kinds(1))
ALL = Comparison(word=8, min_length=1, min_identity=0)
A, U, V = generated(1, 400), generated(2, 100), generated(3, 100)
BLOCKS = Comparison(extension="blocks", min_length=32)


def told(found: Compared) -> Found:
    return [tuple(row) for row in found.hsps.rows.tolist()], found.counts


def found_by(engine: GenomeEngine, queries: list[str], subjects: list[str], comparison: Comparison) -> Found:
    return told(compare(genome(*queries), genome(*subjects), comparison, engine))


@pytest.mark.parametrize("word", [8, 11, 16, 31, 32])
@pytest.mark.parametrize("kind", KINDS)
def test_hsps_and_counts_equal_the_oracle(genome_engine: Open, kind: str, word: int) -> None:
    engine = genome_engine()
    for number, comparison in enumerate([replace(ALL, word=word), Comparison(word, min_length=40, min_identity=90)]):
        queries, subjects = kinds(word + number)[kind]
        expected = genome_oracle.compare(queries, subjects, comparison)
        assert found_by(engine, queries, subjects, comparison) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_hsps_in_blocks_equal_the_oracle(genome_engine: Open, kind: str) -> None:
    engine = genome_engine()
    for seed in range(2):
        queries, subjects = kinds(seed)[kind]
        expected = genome_oracle.compare(queries, subjects, BLOCKS)
        assert found_by(engine, queries, subjects, BLOCKS) == expected


@pytest.mark.parametrize("most", [None, 1, 2, 7, 100])
@pytest.mark.parametrize("sensitivity", ["sensitive", "fast", "hyperfast"])
def test_sampled_words_equal_the_oracle(genome_engine: Open, sensitivity: Sensitivity, most: int | None) -> None:
    engine = genome_engine()
    comparison = replace(ALL, sensitivity=sensitivity, max_frequency=most)
    for kind in ("repeats of two letters", "poly-T", "tandem repeats", "two letters", "related"):
        queries, subjects = kinds(2)[kind]
        expected = genome_oracle.compare(queries, subjects, comparison)
        assert found_by(engine, queries, subjects, comparison) == expected


@pytest.mark.parametrize("kind", ["poly-T", "tandem repeats", "two letters"])
def test_units_with_too_many_runs_equal_the_oracle(
    genome_engine: Open, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    engine, least = genome_engine(), set()
    for runs in (1, 4, 16, 64):
        monkeypatch.setattr(bounds, "UNIT_RUNS", runs)
        for comparison in (ALL, replace(ALL, sensitivity="fast", max_frequency=3), BLOCKS):
            queries, subjects = kinds(3)[kind]
            expected = genome_oracle.compare(queries, subjects, comparison, runs)
            assert found_by(engine, queries, subjects, comparison) == expected
            least.update(each.least_frequency for each in expected[1])
    assert len(least) > 1


@pytest.mark.parametrize("comparison", [ALL, replace(ALL, sensitivity="fast"), BLOCKS], ids=str)
def test_pieces_and_parts_of_any_size_give_the_same_bytes(
    genome_engine: Open, monkeypatch: pytest.MonkeyPatch, comparison: Comparison
) -> None:
    for kind in ("related", "tandem repeats", "many records"):
        query, subject = (genome(*records) for records in kinds(4)[kind])
        whole = compare(query, subject, comparison, genome_engine())
        assert len(whole.hsps) > 1
        for words in (40, 1000):
            with monkeypatch.context() as patch:
                patch.setattr(bounds, "PART_LETTERS", 7 * words)
                cut = compare(query, subject, comparison, genome_engine(words_at_once=words))
            assert cut.hsps.pack() == whole.hsps.pack()
            assert cut.counts == whole.counts


def before_overlaps(engine: GenomeEngine, query: Genome, subject: Genome, comparison: Comparison) -> list[Row]:
    """All HSPs that lie in no other one."""
    found = list[Hsps]()
    for part in comparison.parts(query, subject):
        found.append(finish(engine.find(query, subject, comparison, part)).hsps)
    return [tuple(row) for row in without_contained(Hsps.joined(found)).rows.tolist()]


def diagonal(row: Row) -> tuple[bool, int]:
    query, subject, length, _, reverse = row
    return reverse, subject + length + query if reverse else subject - query


def lies_in(one: Row, other: Row) -> bool:
    return diagonal(one) == diagonal(other) and other[0] <= one[0] and one[0] + one[2] <= other[0] + other[2]


def test_what_a_faster_comparison_finds_lies_in_what_a_slower_one_finds(genome_engine: Open) -> None:
    rng, engine = np.random.default_rng(5), genome_engine()
    ancestor, repeat = random_dna(rng, 3000), random_dna(rng, 150)
    text = repeat.join(ancestor[first : first + 300] for first in range(0, 3000, 300))
    query, subject = genome(mutated(rng, text, 0.02)), genome(mutated(rng, text, 0.02))
    usual = Comparison(word=16)
    hyperfast, fast, sensitive = (
        before_overlaps(engine, query, subject, replace(usual, sensitivity=each))
        for each in ("hyperfast", "fast", "sensitive")
    )
    for fewer, more in ((hyperfast, fast), (fast, sensitive)):
        assert len(fewer) < len(more)
        assert all(any(lies_in(one, other) for other in more) for one in fewer)
    bounded = compare(query, subject, replace(usual, max_frequency=2), engine)
    assert len(bounded.hsps) < len(compare(query, subject, usual, engine).hsps)
    assert bounded.counts[0].runs > bounded.counts[0].kept > bounded.counts[0].sampled_words > 0


# Golden cases of the seed system.


def test_generated_letters_are_those_of_the_golden_cases() -> None:
    assert A.startswith("GGCTTTGTAGCTAACTCTCG")


def test_golden_blocks_forward(genome_engine: Open) -> None:
    rows, [forward, reverse] = found_by(genome_engine(), [A], [U + A + V], BLOCKS)
    assert rows == [(0, 100, 384, 384, False)]
    assert (forward.seeds, forward.kept) == (369, 6)
    assert (reverse.seeds, reverse.kept) == (0, 0)


def test_golden_blocks_reverse(genome_engine: Open) -> None:
    rows, [forward, reverse] = found_by(genome_engine(), [A], [U + reverse_complement(A) + V], BLOCKS)
    # On the reverse strand 100 to 484 of 600.
    assert rows == [(0, 116, 384, 384, True)]
    assert (forward.seeds, forward.kept) == (0, 0)
    assert (reverse.seeds, reverse.kept) == (369, 6)


def test_golden_blocks_with_every_50th_letter_replaced(genome_engine: Open) -> None:
    rows, [forward, _] = found_by(genome_engine(), [every_replaced(A, 50)], [A], BLOCKS)
    assert rows == [(0, 0, 384, 377, False)]
    assert (forward.seeds, forward.kept) == (144, 6)


@pytest.mark.parametrize("comparison", [BLOCKS, Comparison()], ids=str)
def test_golden_with_every_10th_letter_replaced_has_no_seed(genome_engine: Open, comparison: Comparison) -> None:
    assert found_by(genome_engine(), [every_replaced(A, 10)], [A], comparison) == (
        [],
        (Counts(query_words=369, subject_words=369),) * 2,
    )


def test_golden_letters(genome_engine: Open) -> None:
    whole = compare(genome(A), genome(U + A + V), Comparison(), genome_engine())
    assert told(whole)[0] == [(0, 100, 400, 400, False)]
    replaced = compare(genome(every_replaced(A, 50)), genome(A), Comparison(), genome_engine())
    assert told(replaced)[0] == [(0, 0, 399, 392, False)]
    assert replaced.hsps.score.tolist() == [1540]
    assert replaced.hsps.identity.round(2).tolist() == [98.25]


# Ends, borders, strands.


def test_hsps_end_where_records_do(genome_engine: Open) -> None:
    # The query's records meet within what the subject has in one, and the other way round.
    queries, subjects = [A[:150], A[150:], U + V], [A, U, V]
    rows, _ = found_by(genome_engine(), queries, subjects, Comparison())
    assert rows == [
        (0, 0, 150, 150, False),
        (150, 150, 250, 250, False),
        (400, 400, 100, 100, False),
        (500, 500, 100, 100, False),
    ]


def test_blocks_reach_both_ends_of_a_sequence_and_no_further(genome_engine: Open) -> None:
    for letters, expected in ((96, 96), (95, 64), (127, 96), (64, 64)):
        rows, _ = found_by(genome_engine(), [A[:letters]], [A[:letters], "C" * 40], BLOCKS)
        assert rows == [(0, 0, expected, expected, False)]
    # The one run begins at letter 40: a block fits before it, of which 20 letters are not equal.
    other = every_replaced(A[:40], 2) + A[40:104]
    rows, _ = found_by(genome_engine(), [other], [A[:104]], BLOCKS)
    assert rows == [(40, 40, 64, 64, False)]


def test_letters_have_either_case_and_u_is_t(genome_engine: Open) -> None:
    rows, _ = found_by(genome_engine(), [A.lower()], [A.replace("T", "u") + "C"], Comparison())
    assert rows == [(0, 0, 400, 400, False)]


def test_unknown_letters_equal_nothing_not_even_each_other(genome_engine: Open) -> None:
    text = A[:200] + "N" * 10 + A[210:]
    rows, [forward] = found_by(genome_engine(), [text], [text + "C"], Comparison(strands="forward"))
    assert rows == [(0, 0, 400, 390, False)]
    assert (forward.query_words, forward.runs) == (200 - 31 + 190 - 31, 2)


def test_a_planted_inversion_is_found_and_its_places_have_equal_letters(genome_engine: Open) -> None:
    # Beside the inversion nothing is equal by chance.
    border = "N" * 20
    query, subject = (U + border + each + border + V for each in (A, reverse_complement(A)))
    rows, _ = found_by(genome_engine(), [query], [subject + "CC"], Comparison())
    assert rows == [(0, 0, 100, 100, False), (540, 540, 100, 100, False), (120, 120, 400, 400, True)]
    assert reverse_complement(subject[120:520]) == A


def test_matches_and_places_of_all_hsps_are_those_of_the_letters(genome_engine: Open) -> None:
    rng = np.random.default_rng(6)
    ancestor = random_dna(rng, 4000)
    query = mutated(rng, ancestor, 0.05)
    subject = mutated(rng, ancestor[:2000], 0.1) + reverse_complement(mutated(rng, ancestor[1500:], 0.1))
    rows, _ = found_by(genome_engine(), [query], [subject], Comparison(word=11, min_length=50))
    assert {reverse for *_, reverse in rows} == {False, True}
    for x, y, length, matches, reverse in rows:
        other = reverse_complement(subject[y : y + length]) if reverse else subject[y : y + length]
        assert sum(map(str.__eq__, query[x : x + length], other)) == matches
        assert length >= 50
        assert matches >= 0.6 * length


def test_a_genome_with_itself_has_all_but_the_main_diagonal(genome_engine: Open) -> None:
    records = [A[:200] + U + A[:200], reverse_complement(U)]
    rows, _ = found_by(genome_engine(), records, records, Comparison())
    assert rows == [
        (0, 300, 200, 200, False),
        (300, 0, 200, 200, False),
        (200, 500, 100, 100, True),
        (500, 200, 100, 100, True),
    ]


# Repeats beyond all bounds.


@pytest.mark.parametrize(("unit", "times"), [("A", 1_000_000), ("AT", 50_000)])
def test_many_letters_of_one_word_are_sampled_and_it_is_said(
    genome_engine: Open, monkeypatch: pytest.MonkeyPatch, unit: str, times: int
) -> None:
    monkeypatch.setattr(bounds, "UNIT_RUNS", 4)
    text = unit * times
    rows, [counts] = found_by(genome_engine(), [text], [text + "C"], Comparison(strands="forward"))
    words = len(text) - 31
    assert (counts.query_words, counts.subject_words) == (words, words + 1)
    # A run begins where one of both sequences does: the words that begin with T are never the first.
    first, second = -(-words // len(unit)), words // len(unit)
    assert counts.seeds == (first**2 + second**2 if len(unit) > 1 else words**2)
    assert counts.runs == 2 * first - 1
    assert (counts.kept, counts.sampled_words, counts.least_frequency) == (4, 1, 4)
    assert len(rows) == 4


def test_progress_goes_up_and_finding_may_stop_after_any_step(genome_engine: Open) -> None:
    query, subject = (genome(*records) for records in kinds(7)["related"])
    [part, _] = ALL.parts(query, subject)
    finding = genome_engine(words_at_once=100).find(query, subject, ALL, part)
    steps = list(finding)
    assert len(steps) > 5
    assert steps == sorted(steps)
    assert all(0 <= each <= 1 for each in steps)
    for number in (1, 3):
        finding = genome_engine(words_at_once=100).find(query, subject, ALL, part)
        for _ in range(number):
            next(finding)
        finding.close()
