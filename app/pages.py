"""Parts of a result's JSON: one query of it, or a page of that query's hits, cut out as text.

A result of many hits is large, and reading it only to write a part of it again would hold up everything else. Each
object begins with a member of its own, and the quotes of that cannot be part of a string, where they are escaped.
"""

from dataclasses import dataclass

from app.errors import InvalidParameterError
from worker.tokens import PageTokenError, read_token, write_token

PAGE_SIZE, LARGEST_PAGE = 100, 1000

_QUERY, _HITS, _HIT = b'{"query":{"id":', b'"hits":[', b'{"rank":'
_CLOSED = b"]}"
_BETWEEN = b"," + _HIT


@dataclass(frozen=True, slots=True)
class HitPage:
    """A page of a query's hits: the result's JSON with these alone, how many there are in all, and the next token."""

    body: bytes
    total: int
    next_token: str


def one_query(result: bytes, query: int) -> bytes:
    """A result's JSON with the n-th query alone, from 1; raises InvalidParameterError."""
    head, part = _cut(result, query)
    return head + part + _CLOSED


def hit_page(search: str, result: bytes, query: int | None, size: int, token: str) -> HitPage:
    """A page of a query's hits; without a number, of the only one. Raises InvalidParameterError and PageTokenError."""
    if query is None and result.count(_QUERY) > 1:
        raise InvalidParameterError("query", "pages are of one query's hits: say which")
    query = query or 1
    head, part = _cut(result, query)
    start = part.index(_HITS) + len(_HITS)
    listed = part[start : -len(_CLOSED)]
    hits = listed.removeprefix(_HIT).split(_BETWEEN) if listed else []
    first = _first(search, query, token, len(hits))
    after = first + size
    next_token = write_token((search, query), after) if after < len(hits) else ""
    shown = b",".join(_HIT + hit for hit in hits[first:after])
    tail = b'],"next_page_token":"%s"}' % next_token.encode()
    return HitPage(head + part[:start] + shown + _CLOSED + tail, len(hits), next_token)


def _cut(result: bytes, query: int) -> tuple[bytes, bytes]:
    """What stands before the queries, and the n-th of them."""
    total = result.count(_QUERY)
    if query > total:
        raise InvalidParameterError("query", f"the search has {total} queries")
    first = start = result.index(_QUERY)
    for _ in range(query - 1):
        start = result.index(_QUERY, start + 1)
    end = result.find(b"," + _QUERY, start)
    return result[:first], result[start : end if end >= 0 else -len(_CLOSED)]


def _first(search: str, query: int, token: str, total: int) -> int:
    if not token:
        return 0
    first, _ = read_token((search, query), token)
    if not (first.is_integer() and 0 < first < total):
        raise PageTokenError("not a page token of this service")
    return int(first)
