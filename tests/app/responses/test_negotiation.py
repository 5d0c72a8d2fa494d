"""What the headers Accept and Prefer are taken to say."""

import re
import sys
from pathlib import Path

import pytest

from app.problems import NotAcceptableError
from app.requests.prefer_header import Preferences
from app.responses.result_formats import FORMATS, negotiate, offered


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        (None, "json"),
        ("", "json"),
        ("*/*", "json"),
        ("application/*", "json"),
        ("text/*", "tab"),
        ("application/json", "json"),
        ("APPLICATION/JSON", "json"),
        ("application/json; charset=utf-8", "json"),
        ("application/x-ndjson", "ndjson"),
        ("text/tab-separated-values", "tab"),
        ("text/csv; header=present", "csv"),
        ("text/csv; header=absent", "10"),
        ('text/csv;header="absent";q=0.5, image/png', "10"),
        ("text/csv; header=absent; q=0.3, text/csv; q=0.2", "10"),
        ("text/csv; header=maybe, text/plain; q=0.1", "pairwise"),
        ("text/*; header=absent", "10"),
        ("text/csv; q=0.5; header=absent", "csv"),
        ("text/csv; charset=utf-8", "csv"),
        ("text/plain", "pairwise"),
        ("text/x-fasta", "fasta"),
        ("application/xml", "xml"),
        ("application/x-blast+json", "blast-json"),
        ("text/x-sam", "sam"),
        ("text/x-aligned-fasta", "aligned-fasta"),
        ("text/x-stockholm", "stockholm"),
        ("text/x-a3m", "a3m"),
        ("application/vnd.apache.parquet", "parquet"),
        ("application/xml;q=0.9, */*;q=0.8", "xml"),
        ("image/png, text/csv", "csv"),
        ("text/csv, text/plain", "csv"),
        ("text/csv;q=0.1, text/plain;q=0.2", "pairwise"),
        ("text/csv ; q=0.1 , text/plain", "pairwise"),
        ("text/csv; header=present; q=0.3, text/plain; q=0.2", "csv"),
        ("text/csv;q=0, */*;q=0.1", "json"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "json"),
        ("text/csv;q=1.000, application/json;q=0.999", "csv"),
        ("text/*;q=0.2, text/csv;q=0.1", "tab"),
    ],
)
def test_best_format_is_taken(accept: str | None, name: str) -> None:
    assert negotiate(accept) == name


@pytest.mark.parametrize(
    "accept",
    ["image/png", "image/*", "application/json;q=0", "text/csv;q=0.0, image/png", "json", "text/csv; header=maybe"],
)
def test_nothing_that_will_do_is_an_error_with_the_types_there_are(accept: str) -> None:
    types = r"application/json, application/x-ndjson, .*, application/vnd.apache.parquet, text/csv; header=absent$"
    with pytest.raises(NotAcceptableError, match=types):
        negotiate(accept)


def test_parquet_that_cannot_be_written_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    others = ["json", "ndjson", "tab", "csv", "pairwise", "fasta", "xml", "blast-json", "sam"]
    others += ["aligned-fasta", "stockholm", "a3m"]
    assert offered() == [*others, "parquet"]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert offered() == others
    assert negotiate("application/vnd.apache.parquet, text/csv;q=0.5") == "csv"
    with pytest.raises(NotAcceptableError, match=r"header=absent; Parquet needs pyarrow: install Shardwater's extra"):
        negotiate("application/vnd.apache.parquet")


def test_manuals_name_every_format_with_its_media_type_and_ending() -> None:
    docs = Path(__file__).parents[3] / "docs"
    interface, formats = ((docs / name).read_text(encoding="utf-8") for name in ("api.md", "formats.md"))
    for name, form in FORMATS.items():
        assert f"| `{name}` | `{form.media_type}` |" in interface
        [row] = re.findall(rf"^\| `{name}` \| .*$", formats, re.MULTILINE)
        assert f"| `{form.media_type}` | " in row
        assert name == "json" or f"| `.{form.ending}` |" in row


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("respond-async", None),
        ("wait=10", 10),
        ("wait=0", 0),
        ("Wait = 7", 7),
        ("respond-async, wait=10", 10),
        ("respond-async; wait=10", 10),
        ("wait=5, respond-async", 5),
        ("wait=61", 60),
        ("wait=999999999", 60),
        ("wait=-1", None),
        ("wait=soon", None),
        ("wait", None),
        ("await=10", None),
        ("handling=lenient", None),
    ],
)
def test_preferred_wait(header: str | None, seconds: int | None) -> None:
    assert Preferences.of(header).wait == seconds
