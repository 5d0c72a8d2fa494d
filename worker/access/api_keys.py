"""API keys and the page's sessions, as Redis knows them: digests alone, so that who reads Redis cannot use one.

A secret is 256 random bits. Nobody can guess at that, however fast each guess is: one round of SHA-256 is as good as a
slow hash, which is for passwords that people choose, and costs a request nothing.
"""

import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Self, cast

from redis import Redis

from shardwater.errors import AlignError
from worker.access.callers import Caller, Scope
from worker.jobs.clock import server_time
from worker.jobs.redis_names import PREFIX, text
from worker.jobs.states import utc

KEYS = f"{PREFIX}:keys"
"""Set of the ids of all keys."""
OWNER = re.compile(r"[!-~]{1,128}")
"""The name of an owner: printable ASCII without blanks."""

_ID_LETTERS, _ID_LENGTH = string.ascii_lowercase + string.digits, 12
_KEY = re.compile(rf"sw_([a-z0-9]{{{_ID_LENGTH}}})_([A-Za-z0-9_-]{{43}})")


class KeyNotFound(AlignError):
    """No key has this id."""


@dataclass(frozen=True, slots=True)
class Presented:
    """A key as somebody sends it: its id, and the digest of its secret."""

    id: str
    digest: bytes

    @classmethod
    def read(cls, key: str) -> Self | None:
        """The parts of a key; None for what does not look like one."""
        found = _KEY.fullmatch(key)
        return cls(found[1], _digest(found[2])) if found else None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key; `expires` is None for one that does not."""

    id: str
    owner: str
    scopes: tuple[Scope, ...]
    created: datetime
    expires: datetime | None

    @property
    def prefix(self) -> str:
        """What its text begins with, to tell it from others."""
        return f"sw_{self.id}"


@dataclass(frozen=True, slots=True)
class Issued:
    """A new key with its text, which is nowhere else."""

    key: ApiKey
    text: str = field(repr=False)


def key_name(key: str) -> str:
    """Hash: what is known of a key, by its id."""
    return f"{PREFIX}:key:{key}"


def session_name(token: str) -> str:
    """The id of the key that a session was begun with, by the token in the browser's cookie."""
    return f"{PREFIX}:session:{_digest(token).hex()}"


def caller_of(record: Mapping[bytes, bytes], presented: Presented | None = None) -> Caller | None:
    """Who a key's record stands for: None where there is none, or the secret that was presented is another one."""
    known = bytes.fromhex(text(record[b"digest"])) if record else bytes(32)
    if presented is not None and not hmac.compare_digest(known, presented.digest):
        return None
    if not record:
        return None
    owner = text(record[b"owner"])
    scopes = cast(list[Scope], text(record[b"scopes"]).split())
    return Caller(owner, frozenset(scopes), f"owner {owner}")


class ApiKeys:
    """Makes keys and takes them away. An expired one is removed by Redis itself."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def create(self, owner: str, scopes: Collection[Scope], life: timedelta | None) -> Issued:
        """A new key; keys with the same owner see the same searches."""
        now = self._now()
        return self._issue(owner, tuple(scopes), now, now + life if life else None)

    def _issue(self, owner: str, scopes: tuple[Scope, ...], created: datetime, expires: datetime | None) -> Issued:
        key = ApiKey("".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH)), owner, scopes, created, expires)
        secret, name = secrets.token_urlsafe(32), key_name(key.id)
        with self._redis.pipeline() as pipe:
            pipe.hset(
                name,
                mapping={
                    "owner": owner,
                    "scopes": " ".join(scopes),
                    "created": int(created.timestamp()),
                    "expires": int(expires.timestamp()) if expires else "",
                    "digest": _digest(secret).hex(),
                },
            )
            if expires:
                pipe.expireat(name, expires)
            pipe.sadd(KEYS, key.id)
            pipe.execute()
        return Issued(key, f"{key.prefix}_{secret}")

    def all(self) -> list[ApiKey]:
        """Every key that can be used, the oldest first."""
        found = [self._read(text(member)) for member in self._redis.smembers(KEYS)]
        return sorted((key for key in found if key is not None), key=lambda key: (key.created, key.id))

    def rotate(self, name: str, overlap: timedelta) -> Issued:
        """A new key for the owner of an old one, which goes on for the overlap; the new one lives as long as the old
        one was to. Raises KeyNotFound.
        """
        old = self._find(name)
        now = self._now()
        issued = self._issue(old.owner, old.scopes, now, now + (old.expires - old.created) if old.expires else None)
        ends = now + overlap if old.expires is None else min(old.expires, now + overlap)
        with self._redis.pipeline() as pipe:
            pipe.hset(key_name(old.id), "expires", int(ends.timestamp()))
            pipe.expireat(key_name(old.id), ends)
            pipe.execute()
        return issued

    def revoke(self, name: str) -> ApiKey:
        """End a key, and every session that was begun with it, at once. Raises KeyNotFound."""
        key = self._find(name)
        with self._redis.pipeline() as pipe:
            pipe.delete(key_name(key.id))
            pipe.srem(KEYS, key.id)
            pipe.execute()
        return key

    def _now(self) -> datetime:
        """The time by which Redis will end a key."""
        return utc(int(server_time(self._redis)))

    def _find(self, name: str) -> ApiKey:
        key = self._read(name.removeprefix("sw_"))
        if key is None:
            # What was given is not repeated: it may be a whole key.
            raise KeyNotFound("no key of this id: `shardwater key list` shows them")
        return key

    def _read(self, key: str) -> ApiKey | None:
        record = cast(Mapping[bytes, bytes], self._redis.hgetall(key_name(key)))
        if not record:
            self._redis.srem(KEYS, key)
            return None
        return ApiKey(
            key,
            text(record[b"owner"]),
            tuple(cast(list[Scope], text(record[b"scopes"]).split())),
            utc(int(record[b"created"])),
            utc(int(record[b"expires"])) if record[b"expires"] else None,
        )


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
