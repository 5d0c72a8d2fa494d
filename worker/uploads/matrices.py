"""Users' own matrices in Redis, each kept for its owner for as long as a search is.

A matrix's id follows from its scores (shardwater/scoring/scoring.py: own_matrix), so that equal ones are one, and
results name it alike wherever it was searched with. It leads to nothing but for an owner who has sent these scores.
Searches have the scores with them (worker/jobs/requests.py: OwnMatrixSearch), and need nothing of what is here.
"""

import re
from copy import copy
from dataclasses import dataclass
from typing import Self, cast

from pydantic import TypeAdapter, ValidationError
from redis import Redis

from shardwater.errors import LimitExceeded
from shardwater.scoring.scoring import OWN_NAME, Rows, own_matrix
from worker.access.callers import ANYBODY, Caller
from worker.jobs.clock import server_time
from worker.jobs.quotas import digest_of
from worker.jobs.redis_names import PREFIX
from worker.uploads.limits import UploadNotFound

MOST_MATRICES = 100
"""That one owner has; each takes 3 kB."""

_ROWS = TypeAdapter(Rows)
_KEEP = """
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, ARGV[3])
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[5]) then return -1 end
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[4])
redis.call('ZADD', KEYS[1], ARGV[3] + ARGV[4], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[4])
return known and 1 or 0
"""
"""Keys: an owner's matrices by the time at which each is removed, and the matrix; arguments: its id and scores, the
time, the seconds that it is kept, and how many an owner may have. Gives 1 where it was there, -1 where there are too
many."""


@dataclass(frozen=True, slots=True)
class KeptMatrix:
    """A matrix as it is kept, and until when; the time is that of the queue's server."""

    id: str
    scores: Rows
    expires: float


class OwnMatrices:
    """The matrices of one owner, or of nobody where nobody is asked for a key."""

    def __init__(self, redis: Redis, kept_s: int) -> None:
        """kept_s: seconds that a matrix is kept since it was sent last."""
        self._redis, self._kept_s, self._caller = redis, kept_s, ANYBODY

    def of(self, caller: Caller) -> Self:
        """The same for one caller, to whom matrices of other owners are as those that never were."""
        theirs = copy(self)
        theirs._caller = caller
        return theirs

    def keep(self, scores: Rows) -> tuple[KeptMatrix, bool]:
        """Keep a matrix, or an equal one anew, and whether there was one; raises LimitExceeded, or ScoringError."""
        name, now = own_matrix(scores).name, server_time(self._redis)
        arguments = (name, _ROWS.dump_json(scores), now, self._kept_s, MOST_MATRICES)
        found = self._redis.eval(_KEEP, 2, self._index, self._key(name), *arguments)
        if found == -1:
            raise LimitExceeded("max_owner_matrices", MOST_MATRICES, MOST_MATRICES + 1)
        return KeptMatrix(name, scores, now + self._kept_s), found == 1

    def has(self, scores: Rows) -> bool:
        """Whether an equal one is kept."""
        return bool(self._redis.exists(self._key(own_matrix(scores).name)))

    def get(self, name: str) -> KeptMatrix:
        """A matrix by its id; raises UploadNotFound for others and after its time."""
        if re.fullmatch(OWN_NAME, name, re.ASCII):
            with self._redis.pipeline() as pipe:
                pipe.get(self._key(name))
                pipe.zscore(self._index, name)
                scores, expires = pipe.execute()
            if scores is not None and expires is not None:
                try:
                    return KeptMatrix(name, _ROWS.validate_json(cast(bytes, scores)), float(expires))
                except ValidationError:
                    # No version of ours writes that: it can be sent anew.
                    pass
        raise UploadNotFound(f"there is no matrix {name}")

    def delete(self, name: str) -> None:
        """Remove a matrix; searches that have its scores go on. Raises UploadNotFound."""
        self.get(name)
        with self._redis.pipeline() as pipe:
            pipe.delete(self._key(name))
            pipe.zrem(self._index, name)
            pipe.execute()

    @property
    def _owner(self) -> str:
        return digest_of(self._caller.owner)

    @property
    def _index(self) -> str:
        return f"{PREFIX}:matrices:{self._owner}"

    def _key(self, name: str) -> str:
        return f"{PREFIX}:matrix:{self._owner}:{name}"
