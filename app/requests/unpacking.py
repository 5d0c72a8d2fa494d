"""Bodies that come as gzip (Content-Encoding), unpacked no further than a body may be long."""

import io

from fastapi import Request
from isal import igzip, isal_zlib

from app.problems import MalformedError
from shardwater.errors import LimitExceeded

CODINGS = ("identity", "gzip", "x-gzip")
"""What a body may be."""


def is_packed(request: Request) -> bool:
    """Whether a request's body is gzip."""
    return request.headers.get("content-encoding", CODINGS[0]).lower() in CODINGS[1:]


def unpacked(body: bytes, most: int) -> bytes:
    """What gzip holds; raises LimitExceeded where that is more than `most` bytes, and MalformedError."""
    try:
        with igzip.IGzipFile(fileobj=io.BytesIO(body)) as packed:  # type: ignore[no-untyped-call]
            content: bytes = packed.read(most + 1)
    except (EOFError, OSError, isal_zlib.error):  # type: ignore[misc]
        raise MalformedError("Content-Encoding is gzip, and the body is not, or not whole") from None
    if len(content) > most:
        raise LimitExceeded("max_body_bytes", most, len(content))
    return content
