"""The columns of each format."""

import pytest

from shardwater.errors import UnknownColumn
from shardwater.formats.columns import COMMENTED_COLUMNS, STANDARD_COLUMNS
from shardwater.formats.writers import columns_of


def test_columns_are_those_of_a_table_alone() -> None:
    assert columns_of("tab", "") == STANDARD_COLUMNS
    assert columns_of("7", "std") == COMMENTED_COLUMNS
    assert columns_of("10", "sseqid score") == ("sseqid", "score")
    assert columns_of("xml", "secret") == ()
    with pytest.raises(UnknownColumn):
        columns_of("parquet", "secret")
