import io
import json
from dataclasses import replace

import pytest

from shardwater.errors import LimitExceeded
from shardwater.formats.msas.json_text import read_json, write_json
from shardwater.formats.msas.reading import Limits, MsaFormatError
from shardwater.msa.stacking import stacked
from shardwater.search.clusters import MembersReport
from tests.support.msas import MEMBERS, MSA, PROVENANCE, QUERY, of_rows

TEXT = b"".join(write_json(MSA))


def test_it_is_json_with_a_row_a_line():
    value = json.loads(TEXT)
    assert value["format"] == "shardwater-msa/1"
    assert [each["name"] for each in value["searched"]["databases"]] == ["swiss", "env"]
    assert value["searched"]["certificate"]["shards"][0]["engine"] == "cpu"
    assert value["rows"][1] == {
        "name": "P2",
        "title": "",
        "length": 99,
        "score": 50,
        "bits": 7.5,
        "evalue": 0.25,
        "identity": 100 * 4 / 9,
        "query_coverage": 70.0,
        "query_from": 2,
        "query_to": 8,
        "hit_from": 11,
        "hit_to": 18,
        "taxid": 10090,
        "organism": "Mus musculus",
        "representative": None,
        "row": "-KSwwAY-AR--",
    }
    assert len(TEXT.splitlines()) == 1 + 4 + 1
    assert json.loads(b"".join(write_json(of_rows("MKT"))))["rows"] == []


def test_members_of_clusters_name_what_represents_them_and_are_read_back():
    provenance = replace(PROVENANCE, members=MembersReport(5, 1, 2))
    msa = stacked(QUERY, [MEMBERS[0], replace(MEMBERS[1], representative="sp|P1|A_HUMAN")], provenance=provenance)
    text = b"".join(write_json(msa))
    assert [row["representative"] for row in json.loads(text)["rows"]] == [None, "sp|P1|A_HUMAN"]
    assert json.loads(text)["searched"]["members"] == {"searched": False, "aligned": 5, "rows": 1, "left_out": 2}
    read = read_json(io.BytesIO(text))
    assert b"".join(write_json(read)) == text
    assert [row.representative for row in read.take([1, -1, 0])] == ["sp|P1|A_HUMAN", "", ""]
    # As an earlier version wrote it.
    earlier = read_json(io.BytesIO(text.replace(b', "representative": null', b"")))
    assert [row.representative for row in earlier] == ["", "sp|P1|A_HUMAN"]


def test_a_row_without_a_partner_has_no_figures():
    text = b"".join(write_json(MSA.take([1, -1])))
    figures = ("name", "bits", "evalue", "identity", "query_coverage")
    assert [json.loads(text)["rows"][1][name] for name in figures] == ["", None, None, None, None]
    assert b"".join(write_json(read_json(io.BytesIO(text)))) == text


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        (TEXT, b"", 1, "Expecting value"),
        (b"{", b"[", 1, "Expecting"),
        (b"shardwater-msa/1", b"other", 1, "its format is not shardwater-msa/1"),
        (b'"organisms": {', b'"organisms": {"x": 1, ', 1, "its first line is not that of"),
        (b'"row": "MKTAYIAKQR"}, "org', b'"row": "MK+"}, "org', 1, "'+' is no letter"),
        (b'"length": 10, ', b"", 1, None),
        (b'"score": 50', b'"score": "x"', 2, "it is no row with all its members"),
        (b'"score": 50', b'"score": 1e999', 2, "it is no row with all its members"),
        (b'"score": 50', b'"score": 12345678901234567890', 2, "it is no row with all its members"),
        (b'"score": 50, ', b"", 2, "it is no row with all its members"),
        (b'\n{"name": "sp', b"\n5 ", 2, "Extra data"),
        (b'\n{"name": "sp', b"\n" + b"[" * 100_000, 2, "it is no JSON that can be read"),
        (b'"row": "-KSwwAY-AR--"', b'"row": "-KSwwAY-AR"', 3, "the row has 8 capitals and gaps"),
        (b"\n]}", b"", 5, "it ends before its rows do"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, line, what):
    text = TEXT.replace(old, new)
    if what is None:
        assert len(read_json(io.BytesIO(text))) == 4
        return
    with pytest.raises(MsaFormatError, match="line") as caught:
        read_json(io.BytesIO(text))
    assert (caught.value.line, what in str(caught.value)) == (line, True)


def test_halves_of_characters_are_replaced():
    found = read_json(io.BytesIO(TEXT.replace(b'"title": ""', b'"title": "\\ud800"')))
    assert found.row(1).header == "P2 ?"


def test_rows_are_limited():
    with pytest.raises(LimitExceeded, match="rows of the MSA is 3, the limit is 2"):
        read_json(io.BytesIO(TEXT), Limits(rows=2))
