"""Ids of jobs: random, marked with the queue's data that they are kept in, and of other kinds than searches named.

Redis may be started again with none of its data. An id that was given out before must not look then as if it had never
been: it names the data that it belongs to, so that what is lost can be told from what never was, with nothing to
remember anywhere. The mark is no secret, and checks itself only against chance.
"""

import base64
import hashlib
import re
import secrets

_RANDOM_BYTES = 18
_RANDOM, _MARK, _CHECK = 24, 6, 4
"""Letters of the parts: 143 bits that nobody can guess, the data's mark, and a checksum of both."""
_LENGTH = _RANDOM + _MARK + _CHECK

SEARCH, VERIFICATION, ALIGNMENT, COMPARISON = "search", "verification", "alignment", "comparison"
MSA, CHAIN = "msa", "chain"
KIND_NAMES = (SEARCH, VERIFICATION, ALIGNMENT, COMPARISON, MSA, CHAIN)
"""Names of all kinds (worker/kinds); ids, and the lists that jobs stand in, follow from them."""
UPLOAD = "upload"
"""No kind of work, but its ids look like theirs."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def is_id(text: str) -> bool:
    """Whether a text may be an id: it has no letter that leads anywhere in a path, or parts anything in Redis."""
    return _ID.fullmatch(text) is not None


def new_mark() -> str:
    """A mark for a queue that has no data yet."""
    return secrets.token_urlsafe(_MARK)[:_MARK]


def new_id(mark: str, kind: str = SEARCH) -> str:
    """An id for a job that is kept in the data with this mark; raises ValueError for a kind that there is not."""
    if kind not in (*KIND_NAMES, UPLOAD):
        raise ValueError(f"no kind of work is called {kind}")
    lot = bytearray(secrets.token_bytes(_RANDOM_BYTES))
    lot[0] &= 0x7F  # so that it begins with a letter: a command line takes what begins with - for an option
    marked = base64.urlsafe_b64encode(lot).decode() + mark
    return _prefix(kind) + marked + _check(marked)


def kind_named(job: str) -> str:
    """The kind of job that an id names, if it is one of ours."""
    name = job[: -_LENGTH - 1]
    return name if name in KIND_NAMES and job[:-_LENGTH] == _prefix(name) else SEARCH


def called(job: str, kind: str | None = None) -> str:
    """A job in a sentence, by the kind that it is asked for as, or else that it names: `search 8FVx...`.

    An id that names its kind needs no other word: `verification-8FVx...`.
    """
    kind = kind or kind_named(job)
    prefix = _prefix(kind)
    return job if prefix and job.startswith(prefix) else f"{kind} {job}"


def mark_of(job: str) -> str | None:
    """The mark of the data that an id belongs to; None where it is not one of ours."""
    job = job.removeprefix(_prefix(kind_named(job)))
    marked, check = job[:-_CHECK], job[-_CHECK:]
    whole = len(job) == _LENGTH and job.isascii()
    return marked[_RANDOM:] if whole and check == _check(marked) else None


def _prefix(kind: str) -> str:
    """Ids of searches have none: there were searches before there were kinds."""
    return "" if kind == SEARCH else f"{kind}-"


def _check(marked: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(marked.encode()).digest())[:_CHECK].decode()
