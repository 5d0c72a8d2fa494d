"""A result in the formats of NCBI's URL API, with as many descriptions and alignments as a Get asks for."""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from typing import Self

from app.compat.fields import Fields
from app.problems import InvalidParameterError
from shardwater.formats.blast_json import report_of, write_blast_json
from shardwater.formats.blast_xml import write_xml
from shardwater.formats.blast_xml2 import HEAD, TAIL, output_of, write_xml2
from shardwater.formats.columns import COMMENTED_COLUMNS
from shardwater.formats.pairwise import write_pairwise
from shardwater.formats.table import write_csv, write_tab
from shardwater.search.merge import QueryResult, Report

READY = "<!--\nQBlastInfoBegin\n\tStatus=READY\nQBlastInfoEnd\n-->"
"""NCBI's table has the percentage of positives besides, which BioPerl takes for another column."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Of each query so many hits at most, and of these so many with their alignments; None for all."""

    rid: str
    descriptions: int | None
    alignments: int | None

    @classmethod
    def of(cls, fields: Fields, rid: str) -> Self:
        """What a Get says."""
        return cls(rid, _count(fields, "DESCRIPTIONS"), _count(fields, "ALIGNMENTS"))

    def listed(self, report: Report) -> Report:
        """For a report to read: a line for each described hit, and the alignments of the first."""
        counts = (self.descriptions, self.alignments)
        most = None if None in counts else max(count or 0 for count in counts)
        return replace(report, results=_Cut(report.results, most, self.alignments))

    def aligned(self, report: Report) -> Report:
        """For programs: the hits that have alignments."""
        return replace(report, results=_Cut(report.results, self.alignments, None))


def _count(fields: Fields, name: str) -> int | None:
    count = fields.integer(name)
    if count is not None and count < 0:
        raise InvalidParameterError(name, "a number from 0 is needed")
    return count


@dataclass(frozen=True, slots=True)
class _Cut:
    """Queries' parts with the first hits alone, read by each iteration."""

    results: Iterable[QueryResult]
    hits: int | None
    alignments: int | None

    def __iter__(self) -> Iterator[QueryResult]:
        return map(self._cut, self.results)

    def _cut(self, one: QueryResult) -> QueryResult:
        kept = one.hits[: self.hits]
        if self.alignments is not None:
            kept = (
                *kept[: self.alignments],
                *(replace(hit, hsps=()) for hit in kept[self.alignments :]),
            )
        return replace(one, hits=kept)


@dataclass(frozen=True, slots=True)
class Format:
    """A format's media type and writer, and whether it is a zip archive."""

    media_type: str
    write: Callable[[Report, Shown], Iterator[str | bytes]]
    zipped: bool = False


def chosen_format(fields: Fields) -> Format:
    """The format of a Get; its view may make a table of text."""
    name = (fields.get("FORMAT_TYPE") or "HTML").strip().lower()
    if name == "text" and (fields.get("ALIGNMENT_VIEW") or "").strip().lower() == "tabular":
        name = "tabular"
    if name not in FORMATS:
        raise InvalidParameterError("FORMAT_TYPE", f"known here are {', '.join(FORMATS)}, in either case")
    fields.refuse({"EXPECT_LOW": ("0",), "EXPECT_HIGH": (), "FORMAT_ENTREZ_QUERY": ()})
    return FORMATS[name]


def _html(report: Report, shown: Shown) -> Iterator[str]:
    yield f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{shown.rid}</title></head>\n'
    yield f"<body>\n{READY}\n<pre>\n"
    for piece in write_pairwise(shown.listed(report)):
        yield escape(piece, quote=False)
    yield "</pre>\n</body>\n</html>\n"


def _framed(pieces: Iterable[str]) -> Iterator[str]:
    """Text with the beginning that clients look for."""
    yield f"<p>{READY}<p>\n<PRE>\n"
    yield from pieces
    yield "</PRE>\n"


def _text(report: Report, shown: Shown) -> Iterator[str]:
    return _framed(write_pairwise(shown.listed(report)))


def _tabular(report: Report, shown: Shown) -> Iterator[str]:
    return _framed(write_tab(shown.aligned(report), COMMENTED_COLUMNS, comments=True))


def _csv(report: Report, shown: Shown) -> Iterator[str]:
    return write_csv(shown.aligned(report), COMMENTED_COLUMNS, header=False)


def _json_archive(report: Report, shown: Shown) -> Iterator[bytes]:
    """A file for each query, and one that names them."""
    return _archive(
        _numbered(report, shown, "json", lambda *one: json.dumps({"BlastOutput2": {"report": report_of(*one)}})),
        lambda names: (f"{shown.rid}.json", json.dumps({"BlastJSON": [{"File": name} for name in names]})),
    )


def _xml_archive(report: Report, shown: Shown) -> Iterator[bytes]:
    """A document for each query, and one that takes them in."""
    return _archive(
        _numbered(report, shown, "xml", lambda *one: f"{HEAD}{output_of(*one)}{TAIL}"),
        lambda names: (f"{shown.rid}.xml", _included(names)),
    )


def _included(names: Iterable[str]) -> str:
    parts = "".join(f'<xi:include href="{name}"/>\n' for name in names)
    return HEAD.replace("<BlastXML2\n", '<BlastXML2\n  xmlns:xi="http://www.w3.org/2003/XInclude"\n') + parts + TAIL


Named = tuple[str, str]
"""A file's name and its text."""


def _numbered(
    report: Report, shown: Shown, ending: str, written: Callable[[Report, int, QueryResult], str]
) -> Iterator[Named]:
    part = shown.aligned(report)
    for number, one in enumerate(part.results, start=1):
        yield f"{shown.rid}_{number}.{ending}", written(part, number, one)


def _archive(files: Iterable[Named], index: Callable[[list[str]], Named]) -> Iterator[bytes]:
    """A zip archive in pieces, each of which holds one file."""
    sink, names = _Sink(), list[str]()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            names.append(name)
            archive.writestr(name, text)
            yield sink.taken()
        archive.writestr(*index(names))
    yield sink.taken()


class _Sink(io.RawIOBase):
    """What is written to it is kept until it is taken away."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._kept += data
        return len(data)

    def taken(self) -> bytes:
        """What has been written since the last time."""
        data = bytes(self._kept)
        self._kept.clear()
        return data


FORMATS: dict[str, Format] = {
    "html": Format("text/html", _html),
    "text": Format("text/plain", _text),
    "tabular": Format("text/plain", _tabular),
    "csv": Format("text/csv", _csv),
    "xml": Format("application/xml", lambda report, shown: write_xml(shown.aligned(report))),
    "xml2": Format("application/zip", _xml_archive, zipped=True),
    "xml2_s": Format("application/xml", lambda report, shown: write_xml2(shown.aligned(report))),
    "json2": Format("application/zip", _json_archive, zipped=True),
    "json2_s": Format("application/json", lambda report, shown: write_blast_json(shown.aligned(report))),
}
