import pytest

from shardwater.msa.pairing import paired, pairs_of
from tests.support.msas import of_rows, rows_of

HUMAN, MOUSE, YEAST, FLY = 9606, 10090, 4932, 7227
CHAINS = ([HUMAN, MOUSE, HUMAN, YEAST], [YEAST, 0, HUMAN, MOUSE], [0, MOUSE, FLY])


def test_complete_pairs_are_of_taxa_that_all_chains_have():
    assert pairs_of(CHAINS, "complete").tolist() == [[1, 3, 1]]


def test_greedy_pairs_are_of_taxa_that_two_chains_have_most_chains_first():
    # Yeast's ranks are 4 and 1, those of human 1 and 3.
    assert pairs_of(CHAINS, "greedy").tolist() == [[1, 3, 1], [0, 2, -1], [3, 0, -1]]


def test_of_equal_ranks_the_lower_taxid_comes_first():
    assert pairs_of([[7, 5], [5, 7]], "complete").tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("pairing", ["greedy", "complete"])
@pytest.mark.parametrize("chains", [[[HUMAN]], [[HUMAN], [MOUSE]], [[0], [0]], [[], []]])
def test_where_no_taxon_is_in_two_chains_there_are_no_pairs(pairing, chains):
    assert pairs_of(chains, pairing).shape == (0, len(chains))


def test_paired_rows_are_as_many_in_each_chain():
    one = of_rows("MKT", "MKT", "-KT", "M--", "MK-", taxids=CHAINS[0])
    two = of_rows("ACDE", "ACDE", "ACD-", "AcCDE", "--DE", taxids=CHAINS[1])
    three = of_rows("GG", "GG", "G-", "-G", taxids=CHAINS[2])
    first, second, third = paired([one, two, three], "greedy")
    assert rows_of(first) == [b"-KT", b"MKT", b"MK-"]
    assert rows_of(second) == [b"--DE", b"AcCDE", b"ACDE"]
    assert rows_of(third) == [b"G-", b"--", b"--"]
    assert [row.name for row in third] == ["r2", "", ""]
