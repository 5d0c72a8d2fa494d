"""As many descriptions and alignments as a Get asks for, and its formats."""

import io
import json
import zipfile
from collections.abc import Iterator

import pytest

from app.compat.fields import Fields
from app.compat.ncbi.formats import FORMATS, Shown, chosen_format
from app.problems import InvalidParameterError
from shardwater.search.merge import Report
from tests.support.example_results import ALIGNED, QUERY, RESULT, STATISTICS, UNALIGNED, QueryResult, result_of

ALL = Shown("RID", None, None)
TWO = result_of(QueryResult(QUERY, STATISTICS, (ALIGNED, UNALIGNED)))


def chosen(**fields: str) -> str:
    form = chosen_format(Fields(fields.items()))
    return next(name for name, known in FORMATS.items() if known is form)


def shape(report: Report) -> list[list[int]]:
    """Of each query, how many alignments each hit has."""
    return [[len(hit.hsps) for hit in one.hits] for one in report.results]


def written(name: str, shown: Shown = ALL) -> Iterator[str | bytes]:
    return FORMATS[name].write(RESULT, shown)


@pytest.mark.parametrize(
    ("descriptions", "alignments", "listed", "aligned"),
    [
        (None, None, [1, 0], [1, 0]),
        (2, 0, [0, 0], []),
        (1, 1, [1], [1]),
        (0, 1, [1], [1]),
        (None, 0, [0, 0], []),
        (1, None, [1, 0], [1, 0]),
        (500, 500, [1, 0], [1, 0]),
    ],
)
def test_hits_and_alignments_are_cut(
    descriptions: int | None, alignments: int | None, listed: list[int], aligned: list[int]
) -> None:
    shown = Shown("RID", descriptions, alignments)
    assert shape(shown.listed(TWO)) == [listed]
    assert shape(shown.aligned(TWO)) == [aligned]


def test_counts_are_read_and_checked() -> None:
    assert Shown.of(Fields([("DESCRIPTIONS", "5"), ("alignments", "0")]), "RID") == Shown("RID", 5, 0)
    with pytest.raises(InvalidParameterError):
        Shown.of(Fields([("ALIGNMENTS", "-1")]), "RID")


def test_format_is_known_in_either_case_and_html_if_not_named() -> None:
    assert [chosen(), chosen(FORMAT_TYPE="XML"), chosen(format_type="json2_s")] == ["html", "xml", "json2_s"]
    assert chosen(FORMAT_TYPE="Text", ALIGNMENT_VIEW="Tabular") == "tabular"
    assert chosen(FORMAT_TYPE="Text", ALIGNMENT_VIEW="Pairwise") == "text"


@pytest.mark.parametrize("fields", [{"FORMAT_TYPE": "ASN.1"}, {"EXPECT_HIGH": "1"}])
def test_what_cannot_be_written_is_refused(fields: dict[str, str]) -> None:
    with pytest.raises(InvalidParameterError):
        chosen(**fields)


def test_text_and_tables_begin_as_clients_expect() -> None:
    for name in ("text", "tabular"):
        text = "".join(map(str, written(name)))
        assert text.startswith("<p><!--\nQBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd\n--><p>\n<PRE>\n")
        assert text.endswith("</PRE>\n")


def test_html_is_escaped() -> None:
    strange = result_of(QueryResult(QUERY, STATISTICS, (UNALIGNED,)))
    page = "".join(map(str, FORMATS["html"].write(strange, ALL)))
    assert "<pre>\nBLASTP " in page
    named = result_of(QueryResult(type(QUERY)("<script>", "&", 3, {}), STATISTICS, ()))
    page = "".join(map(str, FORMATS["html"].write(named, ALL)))
    assert "<script>" not in page
    assert "Query= &lt;script&gt; &amp;" in page


@pytest.mark.parametrize(("name", "ending"), [("json2", "json"), ("xml2", "xml")])
def test_archive_has_a_file_for_each_query_and_one_that_names_them(name: str, ending: str) -> None:
    data = b"".join(piece for piece in written(name) if isinstance(piece, bytes))
    archive = zipfile.ZipFile(io.BytesIO(data))
    assert archive.testzip() is None
    names = [f"RID_1.{ending}", f"RID_2.{ending}"]
    assert sorted(archive.namelist()) == sorted([f"RID.{ending}", *names])
    index = archive.read(f"RID.{ending}").decode()
    assert all(each in index for each in names)


def test_json_archive_is_as_its_readers_take_it_apart() -> None:
    archive = zipfile.ZipFile(io.BytesIO(b"".join(piece for piece in written("json2") if isinstance(piece, bytes))))
    index = json.loads(archive.read("RID.json"))
    assert index == {"BlastJSON": [{"File": "RID_1.json"}, {"File": "RID_2.json"}]}
    report = json.loads(archive.read("RID_2.json"))["BlastOutput2"]["report"]
    assert report["results"]["search"]["query_id"] == "Query_2"
