"""A query's hits a page at a time, and the index of all queries, cut out of the result's JSON as text.

A query may have ten thousand hits, and reading them all only to write a hundred again would hold up everything else.
Each hit begins with a member of its own, and the quotes of that cannot be part of a string, where they are escaped.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, cast

from app.problems import InvalidParameterError
from app.responses.query_parts import no_query, part_of
from shardwater.formats.selection import wanted_ranks
from shardwater.search.merge import SearchResult
from worker.jobs.page_tokens import read_number, write_token
from worker.jobs.results.digested import digested
from worker.jobs.results.stored import DamagedResult, StoredResult

PAGE_SIZE, LARGEST_PAGE = 100, 1000

_QUERY, _HITS, _HIT = b'{"query":', b'"hits":[', b'{"rank":'
_CLOSED = b"]}"
_BETWEEN = b"," + _HIT
_AFTER_HITS = b'],"distribution":'
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class HitPage:
    """A page of a query's hits: the result's JSON with these alone, how many there are in all, and the next token."""

    body: bytes
    total: int
    next_token: str


@dataclass(frozen=True, slots=True)
class Turned:
    """Which page is wanted: of how many hits, and after which token."""

    size: int
    token: str = ""


def hit_page(search: str, stored: StoredResult, query: int | None, turned: Turned) -> HitPage:
    """A page of a query's hits; without a number, of the only one. Raises InvalidParameterError and PageTokenError."""
    if query is None and len(stored) > 1:
        raise InvalidParameterError("query", "pages are of one query's hits: say which")
    query = query or 1
    text = stored.text(query)
    if text is None:
        raise no_query(query, len(stored))
    head, part = text
    before, hits, after_hits = _divided(part)
    first = read_number((search, query), turned.token, len(hits))
    after = first + turned.size
    next_token = write_token((search, query), after) if after < len(hits) else ""
    tail = b'],"next_page_token":"%s"}' % next_token.encode()
    return HitPage(head + before + _joined(hits[first:after]) + after_hits + tail, len(hits), next_token)


def hits_of(stored: StoredResult, query: int, ranks: str) -> SearchResult:
    """A query's part with the hits of these ranks alone, as `select_hits` has them: others are not read.

    Raises InvalidParameterError and InvalidRanks.
    """

    def only(part: bytes) -> bytes:
        before, hits, after = _divided(part)
        wanted = wanted_ranks(ranks, len(hits))[1:]
        return before + _joined(compress(hits, wanted)) + after

    part = part_of(stored, query, only)
    [one] = part.results
    # Its digest was of all of them.
    return digested(replace(part, results=(replace(one, digest=None),)))


def _divided(part: bytes) -> tuple[bytes, list[bytes], bytes]:
    """The text of a query's part up to its hits, each of these without its begin, and what follows."""
    start, end = part.find(_HITS) + len(_HITS), _end_of_hits(part)
    if start < len(_HITS):
        raise DamagedResult("a query's part has no hits in it")
    listed = part[start:end]
    return part[:start], listed.removeprefix(_HIT).split(_BETWEEN) if listed else [], part[end:]


def _joined(hits: Iterable[bytes]) -> bytes:
    return b",".join(_HIT + hit for hit in hits)


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A query with the number of its hits and the figures of the best one, None where there is none."""

    id: str
    title: str
    length: int
    hits: int
    score: int | None
    bits: float | None
    evalue: float | None


def index(stored: StoredResult) -> Iterator[IndexEntry]:
    """A result's queries in their order."""
    for part in stored.texts():
        hits = list(_places(part, _HIT))
        first, second, *_ = *hits, len(part), len(part)
        query = _object(part[len(_QUERY) : first])
        best = _object(part[first:second]) if hits else {}
        yield IndexEntry(
            id=query["id"],
            title=query["title"],
            length=query["length"],
            hits=len(hits),
            score=best.get("score"),
            bits=best.get("bits"),
            evalue=best.get("evalue"),
        )


def _object(text: bytes) -> dict[str, Any]:
    """The JSON object that a text begins with."""
    found, _ = _DECODER.raw_decode(text.decode())
    return cast(dict[str, Any], found)


def _places(text: bytes, mark: bytes) -> Iterator[int]:
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + 1)


def _end_of_hits(part: bytes) -> int:
    """Where the list of a query's hits is closed: a member that has no hits in it follows, or nothing."""
    following = part.rfind(_AFTER_HITS)
    return following if following >= 0 else len(part) - len(_CLOSED)
