import math

import pytest

from shardwater.msa.conservation import conservation
from tests.support.msas import family, of_rows


def test_columns_count_letters_identical_ones_and_how_varied_they_are():
    found = conservation(of_rows("AAAAX", "ACaA-X", "AC-DX", "-CCEX"))
    assert found.depth.tolist() == [3, 4, 3, 3, 4]
    assert found.identical.tolist() == [3, 1, 2, 1, 4]
    third = math.log2(3) - 2 / 3
    assert found.entropy.tolist() == pytest.approx([0, 2 - 0.75 * math.log2(3), third, math.log2(3), 0])


def test_a_query_alone_has_itself():
    found = conservation(of_rows("MKT"))
    assert (found.depth.tolist(), found.identical.tolist(), found.entropy.tolist()) == ([1] * 3, [1] * 3, [0] * 3)


def test_no_column_has_more_than_all_rows():
    msa = family(60)
    found = conservation(msa)
    assert (found.identical <= found.depth).all()
    assert found.depth.max() <= 61
    assert found.entropy.min() >= 0
    assert found.entropy.max() <= math.log2(20)
