"""A result as it is kept, read one query at a time: a large one never stands in memory whole.

It is JSON as pydantic writes it, without blanks, and compressed. Inside a JSON string a quote has a backslash before
it, so that what begins a query's part can stand nowhere else.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Self

from pydantic import ValidationError

from shardwater.errors import AlignError
from shardwater.formats.chunks import taken
from shardwater.search.merge import QueryResult, Report, SearchResult
from worker.jobs.results.canonical_part import QUERY_JSON
from worker.jobs.results.digested import RESULT_JSON, head_digest
from worker.jobs.results.packing import UnpackingError, as_gzip, is_packed, unpacker

SLICE, PIECE = 1 << 16, 1 << 16
"""Bytes taken in at a time, and given out at most."""

_BEGIN, _CLOSED = b'{"query":{"id":', b"]}"
_PART_DIGEST = re.compile(rb'"digest":"(sha256:[0-9a-f]{64})"\}$')


class DamagedResult(AlignError):
    """What is kept is no result, or not all of one: never the fault of the client that asks for it."""


class StoredResult:
    """A succeeded search's result; its length is the number of queries. Reading it may raise DamagedResult."""

    def __init__(self, compressed: bytes) -> None:
        self._compressed = compressed

    @classmethod
    def told(cls, word: bytes) -> Self | None:
        """The result that came with the word that a search has ended (scripts.ANSWER); None where none did."""
        return cls(word) if is_packed(word) else None

    def __len__(self) -> int:
        return sum(1 for _ in self._parts()) - 1

    @property
    def packed_size(self) -> int:
        """Bytes that it takes as it is kept."""
        return len(self._compressed)

    @property
    def largest(self) -> int:
        """Bytes of the JSON of the query's part that has most."""
        return max(map(len, self.texts()), default=0)

    @property
    def gzip(self) -> bytes:
        """The JSON as gzip."""
        try:
            return as_gzip(self._compressed)
        except UnpackingError as error:
            raise DamagedResult(str(error)) from None

    def json(self) -> Iterator[bytes]:
        """The JSON in pieces of at most 64 KiB."""
        inflate = unpacker()
        try:
            for start in range(0, len(self._compressed), SLICE):
                left = self._compressed[start : start + SLICE]
                while piece := inflate.decompress(left, PIECE):
                    left = inflate.unconsumed_tail
                    yield piece
        except UnpackingError as error:
            raise DamagedResult(str(error)) from None
        if not inflate.eof:
            raise DamagedResult("it has no end")

    def lines(self) -> Iterator[bytes]:
        """A line for each query: the JSON of a result with that query alone."""
        head = self._head()
        for part in self.texts():
            one = replace(head, digest=_digest_of(head, part), signature=None)
            yield RESULT_JSON.dump_json(one).removesuffix(_CLOSED)
            yield part
            yield _CLOSED + b"\n"

    def text(self, number: int) -> tuple[bytes, bytes] | None:
        """The JSON up to the list of queries and its bracket, and the part of the query of this number, from 1."""
        parts = self._parts()
        head, part = next(parts), _nth(parts, number)
        return None if part is None else (head, part)

    def texts(self) -> Iterator[bytes]:
        """The JSON of each query's part."""
        return islice(self._parts(), 1, None)

    def part(self, number: int, cut: Callable[[bytes], bytes] = bytes) -> SearchResult | None:
        """The result with the query of this number alone, from 1; None where there are not so many.

        cut: leaves of the JSON of its part what is to be read.
        """
        part = _nth(self.texts(), number)
        if part is None:
            return None
        head = self._head()
        return replace(head, digest=_digest_of(head, part), signature=None, results=(_query_result(cut(part)),))

    def report(self) -> Report:
        """The whole result; a query's part is read when it is asked for, and anew each time."""
        head = self._head()
        return Report(
            head.search,
            head.database,
            head.software,
            head.parameters,
            head.certificate,
            _Queries(self._parts),
            databases=head.databases,
            digest=head.digest,
            signature=head.signature,
        )

    def _head(self) -> SearchResult:
        try:
            return RESULT_JSON.validate_json(next(self._parts()) + _CLOSED)
        except ValidationError:
            raise DamagedResult("its head is not what was written") from None

    def _parts(self) -> Iterator[bytes]:
        """The JSON up to the list of queries and its bracket, then each query's part."""
        waiting, seen = bytearray(), 0
        for piece in self.json():
            waiting += piece
            while (begin := waiting.find(_BEGIN, seen)) >= 0:
                yield taken(waiting, begin).removesuffix(b",")
                seen = 1
            seen = max(seen, len(waiting) - len(_BEGIN))
        yield taken(waiting, len(waiting)).removesuffix(_CLOSED)


def _digest_of(head: SearchResult, part: bytes) -> str | None:
    """The digest of the result with this query's part alone; None where an earlier version has made none."""
    found = _PART_DIGEST.search(part, max(0, len(part) - 100))
    return head_digest(head, [found[1].decode()]) if found and head.digest else None


def _query_result(part: bytes) -> QueryResult:
    try:
        return QUERY_JSON.validate_json(part)
    except ValidationError:
        # A client that was told of it would look for the fault in what it has asked.
        raise DamagedResult("a query's part is not what was written") from None


def _nth(parts: Iterator[bytes], number: int) -> bytes | None:
    """The part of this number, from 1: any number, also one past what islice counts to."""
    return next((part for place, part in enumerate(parts, start=1) if place == number), None)


class _Queries:
    """The queries' parts, read by each iteration."""

    def __init__(self, parts: Callable[[], Iterator[bytes]]) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[QueryResult]:
        return map(_query_result, islice(self._parts(), 1, None))
