"""BLAST XML 2, format 16: what format 15 says in JSON, element for element.

What there is no figure for is left out; what the schema demands is as in BLAST XML then, NaN, and -1 among constants.

Each object is an element with the name of its type inside one with the name that it has in JSON, and so is each item
of a list.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

from shardwater.formats.blast import NO_CONSTANT, UNKNOWN
from shardwater.formats.blast_json import report_of
from shardwater.formats.titles import one_line
from shardwater.search.merge import QueryResult, Report

HEAD = (
    '<?xml version="1.0"?>\n<BlastXML2\n  xmlns="http://www.ncbi.nlm.nih.gov"\n'
    '  xmlns:xs="http://www.w3.org/2001/XMLSchema-instance"\n  xs:schemaLocation="http://www.ncbi.nlm.nih.gov '
    'http://www.ncbi.nlm.nih.gov/data_specs/schema_alt/NCBI_BlastOutput2.xsd">\n'
)
TAIL = "</BlastXML2>\n"
_TYPES = {
    "report": "Report",
    "search_target": "Target",
    "params": "Parameters",
    "results": "Results",
    "search": "Search",
    "hits": "Hit",
    "description": "HitDescr",
    "hsps": "Hsp",
    "stat": "Statistics",
}
_DEMANDED = {
    **dict.fromkeys(("bit_score", "evalue"), UNKNOWN),
    **dict.fromkeys(("kappa", "lambda", "entropy"), NO_CONSTANT),
}
_LEFT_OUT = {"message"}
"""Where nothing was found BLAST says so in words besides, at which Biopython stops."""


def write_xml2(report: Report) -> Iterator[str]:
    """All queries in one document."""
    yield HEAD
    for number, one in enumerate(report.results, start=1):
        yield output_of(report, number, one)
    yield TAIL


def output_of(report: Report, number: int, one: QueryResult) -> str:
    """One query's element, without the document around it."""
    return _element("BlastOutput2", _element("report", _inside("report", report_of(report, number, one))))


def _inside(name: str, value: Any) -> str:
    match value:
        case dict():
            known = {key: _DEMANDED.get(key) if member is None else member for key, member in value.items()}
            members = (
                _element(key.replace("_", "-"), _inside(key, member))
                for key, member in known.items()
                if member is not None and key not in _LEFT_OUT
            )
            return _element(_TYPES[name], "".join(members))
        case list():
            return "".join(_inside(name, item) for item in value)
        case str():
            return escape(one_line(value), quote=False)
        case _:
            return str(value)


def _element(name: str, content: str) -> str:
    # Only text that stands alone keeps its line: it would be part of the value.
    line = "\n" if content.startswith("<") else ""
    return f"<{name}>{line}{content}</{name}>\n"
