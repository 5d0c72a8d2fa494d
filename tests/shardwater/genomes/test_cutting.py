"""HSPs cut where their score falls too far: literal cases, and small genomes against all stretches looked at."""

from dataclasses import replace

import numpy as np
import pytest

from shardwater.genomes import cutting
from shardwater.genomes.compare import compare
from shardwater.genomes.comparison import Comparison
from tests.support import genome_oracle
from tests.support.genomes import every_replaced, generated, genome, kinds, random_dna, reverse_complement

ALL = Comparison(word=8, min_length=1, min_identity=0)
GOOD, OTHER = generated(5, 300), generated(6, 200)
BAD = every_replaced(OTHER, 1)


def rows(query: str, subject: str, comparison: Comparison) -> list[genome_oracle.Row]:
    return [tuple(row) for row in compare(genome(query), genome(subject), comparison).hsps.rows.tolist()]


def test_a_bad_stretch_is_cut_out_where_the_score_falls_by_more() -> None:
    query, subject = GOOD + OTHER + GOOD[::-1], GOOD + BAD + GOOD[::-1]
    whole, two = [(0, 0, 800, 600, False)], [(0, 0, 300, 300, False), (500, 500, 300, 300, False)]
    assert rows(query, subject, Comparison(strands="forward", x_drop=0)) == whole
    assert rows(query, subject, Comparison(strands="forward", x_drop=800)) == whole
    assert rows(query, subject, Comparison(strands="forward", x_drop=799)) == two
    # Uncut, its 75 % are too few, and all would be lost.
    assert rows(query, subject, Comparison(strands="forward", x_drop=0, min_identity=90)) == []
    assert rows(query, subject, Comparison(strands="forward", x_drop=500, min_identity=90)) == two


def test_a_reverse_one_is_cut_at_the_same_letters() -> None:
    tail = generated(8, 100)
    query, subject = GOOD + OTHER + tail, reverse_complement(GOOD + BAD + tail)
    found = [row for row in rows(query, subject, replace(ALL, word=32, x_drop=500, min_length=100)) if row[4]]
    assert found == [(0, 300, 300, 300, True), (500, 0, 100, 100, True)]


def test_blocks_are_not_cut() -> None:
    query, subject = GOOD[:288] + OTHER[:32] + GOOD[:128], GOOD[:288] + BAD[:32] + GOOD[:128]
    found = rows(query, subject, Comparison(strands="forward", extension="blocks", x_drop=100))
    assert found[0] == (0, 0, 448, 416, False)


@pytest.mark.parametrize("x_drop", [1, 4, 20, 60])
def test_small_genomes_are_cut_as_the_oracle_has_it(monkeypatch: pytest.MonkeyPatch, x_drop: int) -> None:
    monkeypatch.setattr(cutting, "LETTERS_AT_ONCE", 300)
    comparison, pieces = replace(ALL, x_drop=x_drop), 0
    for kind in ("related", "tandem repeats", "two letters", "unknown letters", "with itself"):
        queries, subjects = kinds(x_drop)[kind]
        expected, counts = genome_oracle.compare(queries, subjects, comparison)
        found = compare(genome(*queries), genome(*subjects), comparison)
        assert ([tuple(row) for row in found.hsps.rows.tolist()], found.counts) == (expected, counts)
        pieces += len(expected) - len(genome_oracle.compare(queries, subjects, replace(comparison, x_drop=0))[0])
    assert pieces > 0


def test_ups_and_downs_of_every_size_are_cut_as_the_oracle_has_it() -> None:
    rng, pieces = np.random.default_rng(7), 0
    for _ in range(30):
        query = random_dna(rng, 160)
        bad = np.repeat(rng.random(40) < 0.45, 4)
        bad[:16] = bad[-16:] = False
        subject = "".join(every_replaced(query[at], 1) if each else query[at] for at, each in enumerate(bad))
        comparison = replace(ALL, word=8, strands="forward", x_drop=int(rng.integers(1, 80)))
        expected, _ = genome_oracle.compare([query], [subject], comparison)
        assert rows(query, subject, comparison) == expected
        pieces += len(expected)
    assert pieces > 60
