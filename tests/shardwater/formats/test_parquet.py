"""Parquet files as pyarrow reads them: types, nulls, metadata, and row groups that are not held together."""

import io
import json
import sys
from dataclasses import replace

import pyarrow
import pytest
from pyarrow import parquet

from shardwater.formats.columns import COLUMNS, STANDARD_COLUMNS, Row
from shardwater.formats.parquet import GROUP, ParquetMissing, installed, write_parquet
from shardwater.search.merge import QueryResult
from tests.support.example_results import (
    ALIGNED,
    FOUND,
    LONG,
    NOTHING,
    QUERY,
    RESULT,
    STATISTICS,
    TWICE,
    UNALIGNED,
    one_hit,
    result_of,
)


def table_of(result, columns=STANDARD_COLUMNS):
    return parquet.read_table(io.BytesIO(b"".join(write_parquet(result, columns))))


def test_rows_are_hits_with_typed_columns():
    table = table_of(RESULT)
    assert table.to_pylist() == [
        {
            "qseqid": "q1", "sseqid": "sp|P1|A", "pident": 100 * 61 / 65, "length": 65, "mismatch": 1, "gapopen": 2,
            "qstart": 5, "qend": 67, "sstart": 101, "send": 164, "evalue": 1.7e-30, "bitscore": 123.98,
        },
        {
            "qseqid": "q1", "sseqid": "P2", "pident": None, "length": None, "mismatch": None, "gapopen": None,
            "qstart": None, "qend": None, "sstart": None, "send": None, "evalue": 3.21, "bitscore": 27.34,
        },
    ]  # fmt: skip


def test_a_row_for_each_alignment():
    table = table_of(one_hit(TWICE), ("sseqid", "score", "evalue"))
    assert table.to_pylist() == [
        {"sseqid": "sp|P1|A", "score": 310, "evalue": 1.7e-30},
        {"sseqid": "sp|P1|A", "score": 22, "evalue": 0.75},
    ]


@pytest.mark.parametrize("name", COLUMNS)
def test_every_column_has_its_type(name):
    field = table_of(RESULT, (name,)).schema.field(name)
    assert field.type == {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}[COLUMNS[name].kind]
    assert table_of(RESULT, (name,)).column(name)[0].as_py() == COLUMNS[name].value(
        Row(QUERY, ALIGNED, ALIGNED.hsps[0])
    )


def test_types_hold_where_every_value_is_null():
    bare = replace(UNALIGNED, bits=None, evalue=None)
    table = table_of(result_of(QueryResult(QUERY, STATISTICS, (bare,))), ("evalue", "length", "qseq"))
    assert table.schema.types == [pyarrow.float64(), pyarrow.int64(), pyarrow.string()]
    assert table.to_pylist() == [{"evalue": None, "length": None, "qseq": None}]


def test_titles_keep_their_letters():
    assert table_of(RESULT, ("stitle",)).column("stitle").to_pylist() == [ALIGNED.title, UNALIGNED.title]


def test_metadata_says_what_was_searched_and_names_every_query():
    metadata = {name.decode(): json.loads(value) for name, value in table_of(RESULT).schema.metadata.items()}
    assert metadata["search"] == "abc"
    assert metadata["database"] == {"name": "swiss", "version": "2026_01", "checksum": "0" * 64}
    assert metadata["software"] == {"version": "1.2.3", "commit": "unknown"}
    assert metadata["parameters"]["matrix"] == "BLOSUM62"
    assert metadata["certificate"]["cells"] == 46135689
    first, second = metadata["queries"]
    assert (first["id"], first["title"], first["length"], first["hits"]) == ("q1", "my query", 101, 2)
    assert first["statistics"]["lambda"] == 0.267
    assert (second["id"], second["hits"]) == ("q2", 0)


def test_no_hits_make_a_table_without_rows():
    table = table_of(result_of(NOTHING))
    assert (table.num_rows, tuple(table.column_names)) == (0, STANDARD_COLUMNS)


def test_column_asked_for_twice_is_there_once():
    assert table_of(RESULT, ("score", "evalue", "score")).column_names == ["score", "evalue"]


def test_groups_are_given_away_as_they_are_written():
    many = QueryResult(QUERY, STATISTICS, (replace(ALIGNED, hsps=(LONG,)),) * (2 * GROUP + 1))
    pieces = list(write_parquet(result_of(many), ("qseqid", "score")))
    assert len(pieces) == 4
    file = parquet.ParquetFile(io.BytesIO(b"".join(pieces)))
    assert [file.metadata.row_group(group).num_rows for group in range(3)] == [GROUP, GROUP, 1]
    assert file.read().column("score").to_pylist() == [310] * (2 * GROUP + 1)


def test_without_its_library_it_is_refused_at_once_with_the_extras_name(monkeypatch):
    assert installed()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert not installed()
    with pytest.raises(ParquetMissing, match=r"^Parquet needs pyarrow: install Shardwater's extra `parquet`"):
        write_parquet(result_of(FOUND), STANDARD_COLUMNS)
