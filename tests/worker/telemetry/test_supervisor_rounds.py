"""A supervisor that makes no rounds is spoken of once, and once more when it makes them again."""

import logging
import os

import pytest
from redis import Redis

from worker.telemetry.supervisor_rounds import (
    KEPT_S,
    SILENT_S,
    SupervisorWatch,
    forget_rounds,
    note_round,
    silence_s,
    supervisor_key,
)


def silent_for(redis: Redis, seconds: float) -> None:
    redis.pexpire(supervisor_key(os.getpid()), round(1000 * (KEPT_S - seconds)))


def test_silence_is_told_once_and_its_end_too(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    watch = SupervisorWatch(redis, os.getpid())
    note_round(redis)
    watch.look()
    silent_for(redis, SILENT_S + 1)
    for _ in range(4):
        watch.look()
    note_round(redis)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            watch.look()
    silence, end = [record.getMessage() for record in caplog.records]
    assert silence.startswith(f"the supervisor (process {os.getpid()}) has made no round for 31 s: what dies ")
    assert end == f"the supervisor (process {os.getpid()}) makes its rounds again"


def test_machine_that_was_paused_is_not_taken_for_one(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    watch = SupervisorWatch(redis, os.getpid())
    for _ in range(3):
        note_round(redis)
        silent_for(redis, 3600)
        watch.look()
        note_round(redis)
        watch.look()
    assert caplog.records == []


def test_nothing_is_known_of_one_that_has_ended_or_never_was(redis: Redis, caplog: pytest.LogCaptureFixture) -> None:
    note_round(redis)
    assert (silence_s(redis, os.getpid()) or 0) < 1
    forget_rounds(redis)
    assert silence_s(redis, os.getpid()) is None
    for pid in (0, os.getpid()):
        watch = SupervisorWatch(redis, pid)
        for _ in range(3):
            watch.look()
    assert caplog.records == []
