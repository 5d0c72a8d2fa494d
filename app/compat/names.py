"""Names for searches that a dialect's clients expect, kept beside the searches in Redis.

They follow from the searches' ids, which cannot be guessed: a repeated request has the same name, and nobody can work
out another's.
"""

import hashlib
import string

from pydantic import TypeAdapter

from app.service import Service
from worker.jobs.redis_names import PREFIX, text

RID_LENGTH = 11
"""As long as NCBI's: there are clients that count."""

_DIGITS = string.digits + string.ascii_uppercase
_SEARCHES = TypeAdapter(list[str])


def rid_of(search: str) -> str:
    """A search's request id for NCBI's clients: capitals and digits, of 57 bits."""
    number = int.from_bytes(hashlib.sha256(search.encode()).digest())
    digits = ""
    for _ in range(RID_LENGTH):
        number, digit = divmod(number, len(_DIGITS))
        digits += _DIGITS[digit]
    return digits


def keep(service: Service, name: str, searches: list[str]) -> None:
    """Remember what a name stands for, as long as a search is kept."""
    service.store.redis.set(_key(name), _SEARCHES.dump_json(searches), ex=service.settings.retention_s)


def find(service: Service, name: str) -> list[str]:
    """The searches that a name stands for; none if nobody has kept it, its time is over, or they are another's."""
    kept = service.store.redis.get(_key(name))
    searches = [] if kept is None else _SEARCHES.validate_json(text(kept))
    # A name that is not known takes as long.
    return searches if all(service.store.sees(searches or [name])) else []


def forget(service: Service, name: str) -> None:
    """Forget a name."""
    service.store.redis.delete(_key(name))


def _key(name: str) -> str:
    return f"{PREFIX}:name:{name}"
