"""Counts reach Redis once, whoever counts and whatever happens on the way."""

import pytest
from redis import Redis
from redis.exceptions import RedisError

from worker.telemetry.counters import COUNTS, Tally, sums


def test_two_processes_counts_are_added_up(redis: Redis) -> None:
    for value in (2, 3):
        tally = Tally()
        tally.add("cells", "demo", value=value)
        tally.flush(redis)
        tally.flush(redis)
    assert sums(redis) == {("cells", "demo"): 5}


def test_duration_falls_into_the_bucket_of_the_bound_it_does_not_pass(redis: Redis) -> None:
    tally = Tally()
    for seconds in (0.001, 0.0011, 1800, 1801):
        tally.observe("stage", "score", seconds=seconds)
    tally.flush(redis)
    assert sums(redis) == {
        ("stage", "score", "0.001"): 1,
        ("stage", "score", "0.0025"): 1,
        ("stage", "score", "1800"): 1,
        ("stage", "score", "+Inf"): 1,
        ("stage", "score", "sum"): pytest.approx(3601.0021),
    }


def test_what_cannot_be_handed_in_is_kept(redis: Redis) -> None:
    tally = Tally()
    tally.add("ended", "failed")
    redis.set(COUNTS, "no hash")
    with pytest.raises(RedisError):
        tally.flush(redis)
    redis.delete(COUNTS)
    tally.add("ended", "failed")
    tally.flush(redis)
    assert sums(redis) == {("ended", "failed"): 2}
