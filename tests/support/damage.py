"""Jobs whose fields in Redis are what no version of ours writes."""

from collections.abc import Callable

from redis import Redis

from worker.jobs.redis_names import SearchKeys

Damage = Callable[[Redis, str], object]


def _field(name: str, value: str | bytes) -> Damage:
    return lambda redis, job: redis.hset(SearchKeys(job).meta, name, value)


def _without(name: str) -> Damage:
    return lambda redis, job: redis.hdel(SearchKeys(job).meta, name)


def _progress(shard: str | bytes, value: str | bytes) -> Damage:
    return lambda redis, job: redis.hset(SearchKeys(job).progress, shard, value)


def _part(shard: str | bytes) -> Damage:
    return lambda redis, job: redis.hset(SearchKeys(job).shards, shard, "")


_NO_SHARDS = (
    '{"used": {"name": "small", "version": "1", "checksum": "c"}, "size": {"subjects": 4, "residues": 9}, "shards": 0}'
)

DAMAGES: dict[str, Damage] = {
    "created is no number": _field("created", "soon"),
    "created is no text": _field("created", b"\xff"),
    "created is no time": _field("created", "nan"),
    "created is too late": _field("created", "1e17"),
    "created is gone": _without("created"),
    "finished is no number": _field("finished", "never"),
    "residues are no number": _field("residues", "many"),
    "residues are gone": _without("residues"),
    "work is no JSON": _field("work", "{"),
    "work is no list": _field("work", '{"a": 1}'),
    "work is no numbers": _field("work", '[1, 1, "many"]'),
    "work is too many numbers": _field("work", "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"),
    "work is without end": _field("work", "[1, 1e999]"),
    "work is nested": _field("work", "[" * 100_000),
    "outcome is no text": _field("outcome", b"\xff"),
    "outcome is unknown": _field("outcome", "lost"),
    "outcome is empty": _field("outcome", ""),
    "failure is no JSON": _field("failure", "{"),
    "warnings are no list": _field("warnings", '{"query": 1}'),
    "target is no JSON": _field("target", "{"),
    "target has no shards": _field("target", _NO_SHARDS),
    "title is no text": _field("title", b"\xff"),
    "title is gone": _without("title"),
    "progress of no number": _progress("no shard", "0"),
    "progress of no shard": _progress("7", "0"),
    "progress is no text": _progress("0", b"\xff"),
    "progress is no share": _progress("0", "half scoring 1"),
    "progress has no end": _progress("0", "0.5 scoring nan"),
    "progress is no hash": lambda redis, job: redis.set(SearchKeys(job).progress, "no hash"),
    "part of no number": _part("no shard"),
    "part of no shard": _part("7"),
    "parts are no hash": lambda redis, job: redis.set(SearchKeys(job).shards, "no hash"),
    "job is no hash": lambda redis, job: redis.set(SearchKeys(job).meta, "no hash"),
}
"""What may be wrong with a job; progress and shards of other types need none to be there before."""
