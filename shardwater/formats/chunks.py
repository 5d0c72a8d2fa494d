"""Small pieces of text made into large pieces of bytes, for a pipe or a socket to carry."""

from collections.abc import Iterable, Iterator

CHUNK = 1 << 16


def in_chunks(pieces: Iterable[str | bytes], size: int = CHUNK) -> Iterator[bytes]:
    """The same as UTF-8, so many bytes at a time, but for the last."""
    waiting = bytearray()
    for piece in pieces:
        waiting += piece.encode() if isinstance(piece, str) else piece
        # It may be large, and is all in there.
        del piece
        while len(waiting) >= size:
            yield taken(waiting, size)
    if waiting:
        yield bytes(waiting)


def taken(waiting: bytearray, size: int) -> bytes:
    """So many of the first bytes, which do not wait any more."""
    first = bytes(waiting[:size])
    del waiting[:size]
    return first
