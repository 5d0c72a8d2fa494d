"""One query's part of a stored result, by the number that a client names."""

from app.problems import InvalidParameterError
from shardwater.plural import plural
from shardwater.search.merge import SearchResult
from worker.jobs.results.stored import StoredResult


def part_of(stored: StoredResult, query: int) -> SearchResult:
    """The part of a query, from 1. Raises InvalidParameterError."""
    part = stored.part(query)
    if part is None:
        raise no_query(query, len(stored))
    return part


def named_part(stored: StoredResult, query: int | None, asked: str) -> SearchResult:
    """The same; of a search of one query it need not be named for the parameter that asks for one."""
    if query is None and len(stored) > 1:
        raise InvalidParameterError(asked, f"the search has {len(stored)} queries: `query` must name one")
    return part_of(stored, query or 1)


def no_query(query: int, queries: int) -> InvalidParameterError:
    """What is wrong with the number of a query, where a search has only so many."""
    told = f"there is no query {query}: the search has {plural(queries, 'query', 'queries')}"
    return InvalidParameterError("query", told)
