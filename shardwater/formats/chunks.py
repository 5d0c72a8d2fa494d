"""Small pieces of text made into large pieces of bytes, for a pipe or a socket to carry."""

import time
from collections.abc import Iterable, Iterator

CHUNK = 1 << 16
LONGEST_S = 0.1
"""Who asks for a chunk waits no longer for it than this and one piece more: others may wait for the same thread."""


def in_chunks(pieces: Iterable[str | bytes], size: int = CHUNK) -> Iterator[bytes]:
    """The same as UTF-8, so many bytes at a time, but for the last, and for those that take long, which may be empty.

    What comes to no text for long gives empty pieces meanwhile.
    """
    waiting, until = bytearray(), time.monotonic() + LONGEST_S
    for piece in pieces:
        waiting += piece.encode() if isinstance(piece, str) else piece
        # It may be large, and is all in there.
        del piece
        while len(waiting) >= size:
            yield taken(waiting, size)
            until = time.monotonic() + LONGEST_S
        if time.monotonic() >= until:
            yield taken(waiting, len(waiting))
            until = time.monotonic() + LONGEST_S
    if waiting:
        yield bytes(waiting)


def taken(waiting: bytearray, size: int) -> bytes:
    """So many of the first bytes, which do not wait any more."""
    first = bytes(waiting[:size])
    del waiting[:size]
    return first
