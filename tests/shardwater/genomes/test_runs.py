"""First seeds of runs: those of all seeds, enumerated and joined; and which are taken of many."""

from dataclasses import replace

import pytest

from shardwater.genomes.comparison import Comparison, Part, Sensitivity
from shardwater.genomes.runs import runs_of
from shardwater.genomes.strands import Strand
from shardwater.genomes.words import Words
from tests.support import genome_oracle
from tests.support.genome_oracle import Seed, compare_strands
from tests.support.genomes import genome, kinds

ALL = Comparison(word=8)


def starts(queries: list[str], subjects: list[str], comparison: Comparison, *, reverse: bool = False) -> list[Seed]:
    sides = ((queries, False), (subjects, reverse))
    words = [
        Words.listed(Strand.of(genome(*records), reverse=turned), comparison.word, Part(reverse)).sorted()
        for records, turned in sides
    ]
    runs = runs_of(words[0], words[1], comparison)
    return sorted(zip(runs.x.tolist(), runs.y.tolist(), strict=True))


@pytest.mark.parametrize("kind", list(kinds(1)))
def test_runs_from_their_first_seeds_are_all_seeds(kind: str) -> None:
    queries, subjects = kinds(1)[kind]
    for reverse in (False, True):
        query, subject = genome_oracle.Strand.of(queries), genome_oracle.Strand.of(subjects, reverse=reverse)
        seeds = compare_strands(query, subject, ALL).seeds
        found = set[Seed]()
        for x, y in starts(queries, subjects, ALL, reverse=reverse):
            while (x, y) in seeds:
                assert (x, y) not in found
                found.add((x, y))
                x, y = x + 1, y + 1  # noqa: PLW2901  along the diagonal
        assert found == seeds


@pytest.mark.parametrize("most", [None, 1, 3, 50])
@pytest.mark.parametrize("sensitivity", ["sensitive", "fast", "hyperfast"])
def test_runs_taken_are_those_of_the_oracle(sensitivity: Sensitivity, most: int | None) -> None:
    comparison = replace(ALL, sensitivity=sensitivity, max_frequency=most)
    for kind in ("two letters", "poly-T", "tandem repeats", "many records"):
        queries, subjects = kinds(2)[kind]
        compared = compare_strands(genome_oracle.Strand.of(queries), genome_oracle.Strand.of(subjects), comparison)
        assert starts(queries, subjects, comparison) == sorted(compared.starts)


@pytest.mark.parametrize("kind", ["two letters", "poly-T", "tandem repeats", "many records"])
def test_less_sensitive_ones_take_some_of_the_same_runs(kind: str) -> None:
    queries, subjects = kinds(4)[kind]
    hyperfast, fast, sensitive = (
        set(starts(queries, subjects, replace(ALL, sensitivity=each))) for each in ("hyperfast", "fast", "sensitive")
    )
    assert hyperfast <= fast <= sensitive
    assert starts(queries, subjects, replace(ALL, max_frequency=10**9)) == sorted(sensitive)
    assert set(starts(queries, subjects, replace(ALL, max_frequency=2))) < sensitive


def test_every_so_many_th_run_of_a_word_is_taken_from_the_first_on() -> None:
    # The word is at 0 (nothing before), 9 (after a C) and 18 (after a G) of the query, and at 0 and 9 of the subject.
    word = "AAAATTTT"
    queries, subjects = [word + "C" + word + "G" + word], [word + "C" + word]
    # By the query's rank: C, G, none; by the subject's: C, none. C with C begins no run, for the run began before.
    pairs = [(9, 0), (18, 9), (18, 0), (0, 9), (0, 0)]
    assert starts(queries, subjects, ALL) == sorted(pairs)
    for most, taken in ((5, pairs), (4, pairs[::2]), (3, pairs[::2]), (2, pairs[::3]), (1, pairs[:1])):
        assert starts(queries, subjects, replace(ALL, max_frequency=most)) == sorted(taken)
