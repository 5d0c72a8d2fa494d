"""What `shardwater doctor` asks the queue's server: whether it keeps what it is given, and how quickly it answers."""

import statistics
import time
from collections.abc import Iterator, Mapping
from typing import Any

from packaging.version import Version
from redis import Redis
from redis.exceptions import AuthenticationError, RedisError, ResponseError

from worker.diagnostics.machine import Finding
from worker.jobs.worker_registry import workers
from worker.settings import Settings, SettingsError
from worker.supervision.redis_loading import await_loaded
from worker.supervision.valkey import EmbeddedValkey

LEAST_REDIS = "7.0"
PINGS = 20
SLOW_S = 0.005
CLOCK_S = 1.0
"""The logs of machines whose clocks are further apart cannot be read side by side."""
FULL, NEARLY_FULL = 0.9, 0.75


def queue(settings: Settings) -> Iterator[Finding]:
    """The queue's server, and who works for it."""
    try:
        redis = settings.connect() if settings.redis_url else Redis.from_url(EmbeddedValkey(settings.data).url)
    except SettingsError as error:
        yield Finding("queue", "fault", str(error), "see to SHARDWATER_REDIS_URL and SHARDWATER_REDIS_PASSWORD_FILE")
        return
    with redis:
        await_loaded(redis)
        try:
            redis.ping()
        except AuthenticationError:
            yield Finding("queue", "fault", "it refuses the password", "see to SHARDWATER_REDIS_URL")
            return
        except RedisError as error:
            yield _silent(settings, error)
            return
        yield from _answers(redis)


def _silent(settings: Settings, error: RedisError) -> Finding:
    if settings.redis_url:
        advice = "start it, and see to SHARDWATER_REDIS_URL and the network between"
        return Finding("queue", "fault", f"it does not answer ({type(error).__name__})", advice)
    return Finding("queue", "ok", "not running: serve starts its own")


def _answers(redis: Redis) -> Iterator[Finding]:
    try:
        info: Mapping[str, Any] = redis.info()
        yield _version(info)
        yield _append_only(redis, info)
        yield _eviction(info)
        yield _memory(info)
        yield from _persistence(info)
        yield _latency(redis)
        yield _clock(redis)
        found = workers(redis)
        yield Finding("workers", "ok", f"{len(found)} for {len({worker.place.queue for worker in found})} shards")
    except RedisError as error:
        advice = "let this user ask for INFO, CONFIG GET and TIME"
        yield Finding("queue", "fault", f"it does not tell of itself ({type(error).__name__})", advice)


def _version(info: Mapping[str, Any]) -> Finding:
    if "valkey_version" in info:
        return Finding("queue", "ok", f"Valkey {info['valkey_version']}")
    found = str(info["redis_version"])
    if Version(found) >= Version(LEAST_REDIS):
        return Finding("queue", "ok", f"Redis {found}")
    return Finding("queue", "fault", f"Redis {found}", f"Redis {LEAST_REDIS} or later is needed, or Valkey")


def _append_only(redis: Redis, info: Mapping[str, Any]) -> Finding:
    if not info["aof_enabled"]:
        return Finding("append-only file", "fault", "none: a crash loses every search", "appendonly yes")
    try:
        policy = redis.config_get("appendfsync").get("appendfsync", "unknown")
    except ResponseError:
        return Finding("append-only file", "ok", "kept (how it is written may not be asked)")
    if policy == "no":
        return Finding("append-only file", "fault", "appendfsync no", "appendfsync everysec, or always")
    return Finding("append-only file", "ok", f"appendfsync {policy}")


def _eviction(info: Mapping[str, Any]) -> Finding:
    policy = info["maxmemory_policy"]
    if policy == "noeviction":
        return Finding("eviction", "ok", policy)
    return Finding("eviction", "fault", f"{policy}: searches may vanish", "maxmemory-policy noeviction")


def _memory(info: Mapping[str, Any]) -> Finding:
    used, most = int(info["used_memory"]), int(info["maxmemory"]) or int(info.get("total_system_memory", 0))
    found = f"{used / 1e6:,.0f} of {most / 1e6:,.0f} MB"
    if most and used > FULL * most:
        advice = "give it more; lower SHARDWATER_MAX_STORED_BYTES or SHARDWATER_RETENTION_S"
        return Finding("queue's memory", "fault", found, advice)
    if most and used > NEARLY_FULL * most:
        return Finding("queue's memory", "warning", found, "bound it with SHARDWATER_MAX_STORED_BYTES")
    return Finding("queue's memory", "ok", found)


def _persistence(info: Mapping[str, Any]) -> Iterator[Finding]:
    asked = {"aof_last_write_status": "write", "aof_last_bgrewrite_status": "rewrite", "rdb_last_bgsave_status": "save"}
    bad = [name for field, name in asked.items() if info.get(field, "ok") != "ok"]
    if bad:
        advice = "see its log: most often its disk is full"
        yield Finding("persistence", "fault", f"its last {' and '.join(bad)} failed", advice)
    else:
        yield Finding("persistence", "ok", "no errors")


def _latency(redis: Redis) -> Finding:
    seconds = []
    for _ in range(PINGS):
        started = time.perf_counter()
        redis.ping()
        seconds.append(time.perf_counter() - started)
    median = statistics.median(seconds)
    found = f"{1000 * median:.2f} ms (longest of {PINGS}: {1000 * max(seconds):.2f} ms)"
    if median > SLOW_S:
        return Finding("latency", "warning", found, "each search takes some ten round trips: bring the queue nearer")
    return Finding("latency", "ok", found)


def _clock(redis: Redis) -> Finding:
    before = time.time()
    seconds, microseconds = redis.time()
    there, here = seconds + microseconds / 1e6, (before + time.time()) / 2
    found = f"{there - here:+.3f} s from this machine's"
    if abs(there - here) > CLOCK_S:
        return Finding("queue's clock", "warning", found, "run NTP on both")
    return Finding("queue's clock", "ok", found)
