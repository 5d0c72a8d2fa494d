"""Tokens of pages: where to go on in a list, and which list that is, its filters included."""

import base64
import binascii
import hashlib
import json
import math

from shardwater.errors import AlignError


class PageTokenError(AlignError):
    """A page token that is not ours, or that belongs to another list."""


def write_token(listed: object, place: float, name: str = "") -> str:
    """A token for what comes after a place, told by a number and a name, in a list that is known by its repr."""
    fields = [place, name, _digest(listed)]
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")


def read_token(listed: object, token: str) -> tuple[float, str]:
    """The place that write_token was given; raises PageTokenError."""
    try:
        place, name, digest = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        found = float(place), str(name)
    except (binascii.Error, ValueError, TypeError, OverflowError, RecursionError):
        raise PageTokenError("not a page token of this service") from None
    if not math.isfinite(found[0]):
        raise PageTokenError("not a page token of this service")
    if digest != _digest(listed):
        raise PageTokenError("the page token is for a list with other filters")
    return found


def read_number(listed: object, token: str, total: int) -> int:
    """Where a page begins in a list of so many: at the number that a token was written with, without one at 0.

    Raises PageTokenError.
    """
    if not token:
        return 0
    first, _ = read_token(listed, token)
    if not (first.is_integer() and 0 < first < total):
        raise PageTokenError("not a page token of this service")
    return int(first)


def _digest(listed: object) -> str:
    return hashlib.sha256(repr(listed).encode()).hexdigest()[:16]
