"""One query's part of a stored result, by the number that a client names."""

from collections.abc import Callable

from app.problems import InvalidParameterError
from shardwater.plural import plural
from shardwater.search.merge import SearchResult
from worker.jobs.results.stored import StoredResult


def part_of(stored: StoredResult, query: int, cut: Callable[[bytes], bytes] = bytes) -> SearchResult:
    """The part of a query, from 1, or what is cut out of its JSON. Raises InvalidParameterError."""
    part = stored.part(query, cut)
    if part is None:
        raise no_query(query, len(stored))
    return part


def named_part(stored: StoredResult, query: int | None, asked: str) -> SearchResult:
    """The same; of a search of one query it need not be named for the parameter that asks for one."""
    return part_of(stored, named(stored, query, asked))


def named(stored: StoredResult, query: int | None, asked: str) -> int:
    """The number of a query that a parameter is about: the only one need not be named. Raises InvalidParameterError."""
    if query is None and len(stored) > 1:
        raise InvalidParameterError(asked, f"the search has {len(stored)} queries: `query` must name one")
    return query or 1


def no_query(query: int, queries: int) -> InvalidParameterError:
    """What is wrong with the number of a query, where a search has only so many."""
    told = f"there is no query {query}: the search has {plural(queries, 'query', 'queries')}"
    return InvalidParameterError("query", told)
