"""Small pieces of text made into large pieces of bytes, for a pipe or a socket to carry."""

from collections.abc import Iterable, Iterator

CHUNK = 1 << 16


def in_chunks(pieces: Iterable[str | bytes], size: int = CHUNK) -> Iterator[bytes]:
    """The same as UTF-8, at least so many bytes at a time, but for the last."""
    waiting = bytearray()
    for piece in pieces:
        waiting += piece.encode() if isinstance(piece, str) else piece
        if len(waiting) >= size:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)
