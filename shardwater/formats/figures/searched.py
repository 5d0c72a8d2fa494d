"""What pictures say of the search that they are of."""

import re

from shardwater.formats.titles import names_of, one_line
from shardwater.search.merge import Hit, QueryResult, Report

_BEHIND = re.compile(r" OS=[^=]+?(?= (?:OX|GN|PE|SV)=|\Z)| \[[^\[\]]+\]\Z")
"""What UniProt writes behind a title, from the organism on, or NCBI's organism. As on the page."""


def database_of(report: Report) -> str:
    """The databases with their versions."""
    names, versions = report.database.name.split(), report.database.version.split()
    if len(names) != len(versions):
        return f"{report.database.name}, version {report.database.version}"
    return "; ".join(f"{name}, version {version}" for name, version in zip(names, versions, strict=True))


def called(one: QueryResult) -> str:
    """A query's id, or what stands for one."""
    return one_line(one.query.id) or "the query"


def name_of(hit: Hit) -> tuple[str, str]:
    """A hit's accession and the first of its titles, without what stands behind it."""
    first = names_of(hit)[0]
    behind = _BEHIND.search(first.title)
    return first.id, first.title[: behind.start()] if behind else first.title
