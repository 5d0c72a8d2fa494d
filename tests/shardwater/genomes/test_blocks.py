"""HSPs in blocks of 32: the filter along a diagonal, and where each side ends."""

import numpy as np
import pytest

from shardwater.genomes import blocks
from shardwater.genomes.compare import compare
from shardwater.genomes.comparison import Comparison
from tests.support import genome_oracle
from tests.support.genomes import every_replaced, genome, mutated, random_dna

IN_BLOCKS = Comparison(extension="blocks", min_length=1, min_identity=0, strands="forward")
TEXT = random_dna(np.random.default_rng(1), 2000)


def found(query: str, subject: str) -> tuple[list[tuple[int, ...]], int]:
    """HSPs, and how many seeds the filter has kept; the genomes are not the same."""
    compared = compare(genome(query), genome(subject, "A"), IN_BLOCKS)
    return [tuple(row) for row in compared.hsps.rows.tolist()], compared.counts[0].kept


@pytest.mark.parametrize(("seeds", "kept"), [(1, 1), (64, 1), (65, 2), (128, 2), (129, 3)])
def test_a_seed_is_kept_64_letters_behind_the_last_one_kept(seeds: int, kept: int) -> None:
    assert found(TEXT[: seeds + 31], TEXT[: seeds + 31])[1] == kept


def test_a_seed_beside_a_run_counts_from_the_last_one_kept() -> None:
    # A mismatch between two runs: seeds at 0 to 39 and at 72 to 111; of the second the first is 72 from 0.
    other = TEXT[:71] + {"A": "C"}.get(TEXT[71], "A") + TEXT[72:143]
    assert found(TEXT[:143], other) == ([(0, 0, 128, 127, False)], 2)


def test_a_side_ends_where_identity_falls_below_four_fifths() -> None:
    # Blocks with 16 of 32 equal leave the score as it is: it is never above 32 again.
    half = every_replaced(TEXT[32:128], 2)
    assert found(TEXT[:128], TEXT[:32] + half)[0] == [(0, 0, 32, 32, False)]
    # 28 of 32 are equal: 5 (16 + 28) >= 4 (16 + 32), block after block.
    most = every_replaced(TEXT[32:128], 8)
    assert found(TEXT[:128], TEXT[:32] + most)[0] == [(0, 0, 128, 116, False)]


def test_a_side_ends_where_the_score_is_zero() -> None:
    # A block without equal letters takes it from 32 to 0, though five blocks of equal ones follow.
    other = TEXT[:32] + every_replaced(TEXT[32:64], 1) + TEXT[64:224]
    assert found(TEXT[:224], other)[0] == [(0, 0, 32, 32, False), (64, 64, 160, 160, False)]


@pytest.mark.parametrize("rate", [0.02, 0.08, 0.15])
def test_many_blocks_at_once_or_few_give_what_the_oracle_does(monkeypatch: pytest.MonkeyPatch, rate: float) -> None:
    rng = np.random.default_rng(int(100 * rate))
    queries, subjects = [mutated(rng, TEXT, rate)], [TEXT[:1500], mutated(rng, TEXT[900:], rate)]
    expected = genome_oracle.compare(queries, subjects, IN_BLOCKS)
    for at_once, told in ((64, 1 << 10), (1, 1), (3, 2)):
        monkeypatch.setattr(blocks, "AT_ONCE", at_once)
        monkeypatch.setattr(blocks, "TOLD", told)
        compared = compare(genome(*queries), genome(*subjects), IN_BLOCKS)
        assert ([tuple(row) for row in compared.hsps.rows.tolist()], compared.counts) == expected
