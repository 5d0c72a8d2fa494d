"""A part of an answer: some hits of a query, named by their ranks."""

import re
from collections.abc import Sequence
from dataclasses import replace

from shardwater.errors import AlignError
from shardwater.search.merge import QueryResult

_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)


class InvalidRanks(AlignError):
    """Ranks that cannot be read, or that the query has no hits for."""


def select_hits(one: QueryResult, ranks: str) -> QueryResult:
    """A query's hits of these ranks, as `1,5,9-12`, in the order of the answer and with the ranks they have there."""
    wanted = wanted_ranks(ranks, max((hit.rank for hit in one.hits), default=0))
    # Its digest was of all of them.
    return replace(one, hits=tuple(hit for hit in one.hits if wanted[hit.rank]), digest=None)


def wanted_ranks(ranks: str, last: int) -> bytearray:
    """For each rank up to the last, from 0, whether a text names it."""
    wanted = bytearray(last + 1)
    for part in ranks.split(","):
        begin, end = _range(part.strip(), last)
        wanted[begin : end + 1] = b"\1" * (end + 1 - begin)
    return wanted


def ranks_text(ranks: Sequence[int]) -> str:
    """Ascending ranks as `select_hits` reads them."""
    runs = list[tuple[int, int]]()
    for rank in ranks:
        if runs and runs[-1][1] == rank - 1:
            runs[-1] = (runs[-1][0], rank)
        else:
            runs.append((rank, rank))
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def _range(text: str, last: int) -> tuple[int, int]:
    found = _RANGE.fullmatch(text)
    if found is None:
        raise InvalidRanks("ranks are numbers and ranges of numbers by comma, as 1,5,9-12")
    begin, end = int(found[1]), int(found[2] or found[1])
    if not 1 <= begin <= end:
        raise InvalidRanks(f"{text} is no range of ranks: they count up, from 1")
    if end > last:
        raise InvalidRanks(f"there is no hit of rank {end}: the query has {last:,}")
    return begin, end
