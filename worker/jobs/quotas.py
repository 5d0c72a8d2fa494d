"""What an account may use in an hour: jobs accepted, their cells (of a search: query residues x database residues), and
bytes of all scores that are kept.

An hour begins with the first use and is counted in Redis, for all front ends together. All counts are charged in one
step, or none is.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from shardwater.errors import AlignError, LimitExceeded
from worker.jobs.redis_names import PREFIX
from worker.jobs.states import Standing

if TYPE_CHECKING:
    from redis import Redis

WINDOW_S = 3600
SEARCHES_AN_HOUR, CELLS_AN_HOUR, SCORE_BYTES_AN_HOUR = "searches", "cells", "score_bytes"
"""The names of the quotas."""

_CHARGE = """
local found, refused = {}, 0
for i, key in ipairs(KEYS) do
  local cost, limit = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local used, left = tonumber(redis.call('GET', key) or 0), redis.call('TTL', key)
  if refused == 0 and cost > 0 and used + cost > limit then refused = i end
  found[i] = {used, left}
end
for i, key in ipairs(KEYS) do
  if refused == 0 and tonumber(ARGV[2 * i]) > 0 then
    redis.call('INCRBY', key, ARGV[2 * i])
    if found[i][2] < 0 then redis.call('EXPIRE', key, ARGV[1]) end
    found[i] = {tonumber(redis.call('GET', key)), redis.call('TTL', key)}
  end
end
table.insert(found, refused)
return found
"""
"""Keys: an account's counts; arguments: the window, then for each key what is to be charged and what there may be.

Gives each count with the seconds that are left of its window, and the number of the one that refused, 0 for none.
"""
_GIVE_BACK = """
for i, key in ipairs(KEYS) do
  local used = tonumber(redis.call('GET', key))
  if used and used <= tonumber(ARGV[i]) then redis.call('SET', key, 0, 'KEEPTTL')
  elseif used then redis.call('DECRBY', key, ARGV[i]) end
end
"""
"""Keys: an account's counts; arguments: what is taken off each, where its window is not over."""


@dataclass(frozen=True, slots=True)
class Intake:
    """How much work the service takes on: of each account in an hour, cells before a new job (0: an hour's), and bytes
    that Redis may store (0: half of its memory).
    """

    quotas: Mapping[str, int] = field(default_factory=dict)
    max_queued_cells: int = 0
    max_stored_bytes: int = 0


class QuotaExceeded(AlignError):
    """A quota that a job would pass; `refused` is it, `standings` has all."""

    def __init__(self, refused: Standing, standings: tuple[Standing, ...], cost: int) -> None:
        super().__init__(
            f"{cost:,} {refused.name} are asked for, and {refused.left:,} of {refused.limit:,} an hour are left"
        )
        self.refused, self.standings = refused, standings


class Charge:
    """What one job costs an account: taken at most once, and given back when it is not run after all."""

    def __init__(self, redis: "Redis", account: str, costs: Mapping[str, int], limits: Mapping[str, int]) -> None:
        """account: by its digest (digest_of)."""
        self._redis, self._limits = redis, limits
        self.account = account
        self._costs = {name: costs[name] for name in limits}
        self._keys = [_key(name, account) for name in limits]
        self.standings: tuple[Standing, ...] = ()
        self._taken = False

    @classmethod
    def nothing(cls, redis: "Redis") -> Self:
        """Where there are no quotas."""
        return cls(redis, "", {}, {})

    def take(self) -> None:
        """Charge the account; raises QuotaExceeded, or LimitExceeded for what is more than a whole hour's."""
        if self._taken or not self._limits:
            return
        for name, limit in self._limits.items():
            if self._costs[name] > limit:
                raise LimitExceeded(f"{name}_per_hour", limit, self._costs[name])
        refused = self._run(self._costs)
        if refused is not None:
            raise QuotaExceeded(refused, self.standings, self._costs[refused.name])
        self._taken = True

    def give_back(self) -> None:
        """Undo what was taken, if anything was, and see how the account stands then."""
        if self._taken:
            self._redis.eval(_GIVE_BACK, len(self._keys), *self._keys, *map(str, self._costs.values()))
            self._taken = False
        if self._limits:
            self._run(dict.fromkeys(self._limits, 0))

    def _run(self, costs: Mapping[str, int]) -> Standing | None:
        """Charge these costs and note how the account stands then; the quota that refuses."""
        arguments = [str(each) for name, limit in self._limits.items() for each in (costs[name], limit)]
        found = self._redis.eval(_CHARGE, len(self._keys), *self._keys, str(WINDOW_S), *arguments)
        *counts, refused = found
        self.standings = tuple(
            Standing(name, limit, used, left if left >= 0 else None)
            for (name, limit), (used, left) in zip(self._limits.items(), counts, strict=True)
        )
        return self.standings[refused - 1] if refused else None


def digest_of(account: str) -> str:
    """What stands for an account in Redis, where addresses of people need not stand."""
    return hashlib.sha256(account.encode()).hexdigest()[:32]


def _key(name: str, account: str) -> str:
    return f"{PREFIX}:quota:{name}:{account}"
