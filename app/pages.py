"""A query's hits a page at a time, cut out of the result's JSON as text.

A query may have ten thousand hits, and reading them all only to write a hundred again would hold up everything else.
Each hit begins with a member of its own, and the quotes of that cannot be part of a string, where they are escaped.
"""

from dataclasses import dataclass

from app.errors import InvalidParameterError
from worker.stored import StoredResult
from worker.tokens import PageTokenError, read_token, write_token

PAGE_SIZE, LARGEST_PAGE = 100, 1000

_HITS, _HIT = b'"hits":[', b'{"rank":'
_CLOSED = b"]}"
_BETWEEN = b"," + _HIT


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
        raise InvalidParameterError("query", f"the search has {len(stored)} queries")
    head, part = text
    start = part.index(_HITS) + len(_HITS)
    listed = part[start : -len(_CLOSED)]
    hits = listed.removeprefix(_HIT).split(_BETWEEN) if listed else []
    first = _first(search, query, turned.token, len(hits))
    after = first + turned.size
    next_token = write_token((search, query), after) if after < len(hits) else ""
    shown = b",".join(_HIT + hit for hit in hits[first:after])
    tail = b'],"next_page_token":"%s"}' % next_token.encode()
    return HitPage(head + part[:start] + shown + _CLOSED + tail, len(hits), next_token)


def _first(search: str, query: int, token: str, total: int) -> int:
    if not token:
        return 0
    first, _ = read_token((search, query), token)
    if not (first.is_integer() and 0 < first < total):
        raise PageTokenError("not a page token of this service")
    return int(first)
