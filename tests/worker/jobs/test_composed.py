"""Jobs that are made of others are looked at when the last of these ends, and at once when one fails."""

import pytest
from redis import Redis

from worker.jobs.composed import await_others, belong, tell
from worker.jobs.redis_names import ANSWERED, SearchKeys


def made_of(redis: Redis, whole: str, *jobs: str) -> None:
    """A job of others, which a front end has looked at once."""
    with redis.pipeline() as pipe:
        belong(pipe, jobs, whole, 1000)
        pipe.execute()
    assert looked_at(redis) == [whole]


def looked_at(redis: Redis) -> list[str]:
    """The jobs that a front end is to look at, which it does."""
    found = [job.decode() for job in redis.lrange(ANSWERED, 0, -1)]
    redis.delete(ANSWERED)
    return found


def test_a_job_is_looked_at_when_the_last_of_its_own_has_ended(redis: Redis) -> None:
    made_of(redis, "whole", "a", "b", "c")
    for job in ("b", "a"):
        tell(redis, job, failed=False)
        assert looked_at(redis) == []
    tell(redis, "c", failed=False)
    assert looked_at(redis) == ["whole"]
    assert redis.exists(SearchKeys("whole").awaited) == 0


def test_a_job_is_looked_at_as_soon_as_one_of_its_own_has_failed(redis: Redis) -> None:
    made_of(redis, "whole", "a", "b", "c")
    tell(redis, "b", failed=True)
    assert looked_at(redis) == ["whole"]


def test_each_job_that_one_belongs_to_waits_for_its_own_others(redis: Redis) -> None:
    made_of(redis, "first", "a", "shared")
    made_of(redis, "second", "shared")
    tell(redis, "shared", failed=False)
    assert looked_at(redis) == ["second"]
    tell(redis, "a", failed=False)
    assert looked_at(redis) == ["first"]
    tell(redis, "nobody's", failed=True)
    assert looked_at(redis) == []


def test_a_job_that_ends_twice_is_not_taken_for_another(redis: Redis) -> None:
    made_of(redis, "whole", "a", "b")
    tell(redis, "a", failed=False)
    tell(redis, "a", failed=False)
    assert looked_at(redis) == []


def test_whoever_follows_a_job_hears_that_it_has_moved(redis: Redis) -> None:
    made_of(redis, "whole", "a", "b")
    with redis.pubsub() as heard:
        heard.subscribe(SearchKeys("whole").moved)
        assert heard.get_message(timeout=60)
        tell(redis, "a", failed=False)
        assert (heard.get_message(timeout=60) or {})["data"] == b"moved"


def test_who_had_ended_before_the_job_was_accepted_is_awaited_no_more(redis: Redis) -> None:
    made_of(redis, "whole", "old", "a", "b")
    await_others(redis, "whole", ["old"])
    assert looked_at(redis) == []
    tell(redis, "a", failed=False)
    assert looked_at(redis) == []
    tell(redis, "b", failed=False)
    assert looked_at(redis) == ["whole"]


@pytest.mark.parametrize("last", ["told before the note", "told after the note"])
def test_the_last_one_that_ends_between_the_look_and_the_note_is_not_missed(redis: Redis, last: str) -> None:
    made_of(redis, "whole", "old", "new")
    # A front end has seen that `old` has ended, and `new` has not.
    if last == "told before the note":
        tell(redis, "new", failed=False)
        assert looked_at(redis) == []
        await_others(redis, "whole", ["old"])
    else:
        await_others(redis, "whole", ["old"])
        assert looked_at(redis) == []
        tell(redis, "new", failed=False)
    assert looked_at(redis) == ["whole"]


def test_a_look_at_which_nothing_has_ended_leaves_all_awaited(redis: Redis) -> None:
    made_of(redis, "whole", "a")
    await_others(redis, "whole", [])
    assert looked_at(redis) == []
    assert redis.smembers(SearchKeys("whole").awaited) == {b"a"}


def test_what_is_noted_of_jobs_is_kept_no_longer_than_they_are(redis: Redis) -> None:
    made_of(redis, "whole", "a")
    assert {redis.ttl(key) for key in (SearchKeys("whole").awaited, SearchKeys("a").wholes)} <= {999, 1000}
