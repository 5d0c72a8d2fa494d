"""Ids of searches: random, and marked with the queue's data that they are kept in.

Redis may be started again with none of its data. An id that was given out before must not look then as if it had never
been: it names the data that it belongs to, so that what is lost can be told from what never was, with nothing to
remember anywhere. The mark is no secret, and checks itself only against chance.
"""

import base64
import hashlib
import secrets

_RANDOM_BYTES = 18
_RANDOM, _MARK, _CHECK = 24, 6, 4
"""Letters of the parts: 143 bits that nobody can guess, the data's mark, and a checksum of both."""


def new_mark() -> str:
    """A mark for a queue that has no data yet."""
    return secrets.token_urlsafe(_MARK)[:_MARK]


def new_id(mark: str) -> str:
    """An id for a search that is kept in the data with this mark."""
    lot = bytearray(secrets.token_bytes(_RANDOM_BYTES))
    lot[0] &= 0x7F  # so that it begins with a letter: a command line takes what begins with - for an option
    marked = base64.urlsafe_b64encode(lot).decode() + mark
    return marked + _check(marked)


def mark_of(search: str) -> str | None:
    """The mark of the data that an id belongs to; None where it is not one of ours."""
    marked, check = search[:-_CHECK], search[-_CHECK:]
    whole = len(search) == _RANDOM + _MARK + _CHECK and search.isascii()
    return marked[_RANDOM:] if whole and check == _check(marked) else None


def _check(marked: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(marked.encode()).digest())[:_CHECK].decode()
