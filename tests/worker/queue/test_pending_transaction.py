"""Transactions that are sent and not waited for, to a real server."""

import os
import signal
import subprocess
import sys

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from tests.support.server import until
from worker.queue.pending_transaction import UnderWay

ENDS_AT_ONCE = """
import os, sys
from redis import Redis
from worker.queue.pending_transaction import UnderWay
pipe = Redis.from_url(sys.argv[1]).pipeline()
pipe.set("sent", "by one who is gone")
pipe.incr("count")
UnderWay(pipe)
os._exit(1)
"""


def sent(redis: Redis, *commands: tuple[str, ...]) -> UnderWay:
    pipe = redis.pipeline()
    for command in commands:
        pipe.execute_command(*command)
    return UnderWay(pipe)


def test_all_is_done_at_the_end(redis: Redis) -> None:
    under_way = sent(redis, ("SET", "a", "1"), ("RPUSH", "b", "2", "3"))
    under_way.end()
    assert (redis.get("a"), redis.lrange("b", 0, -1)) == (b"1", [b"2", b"3"])


def test_its_connection_serves_others_afterwards(redis: Redis) -> None:
    for number in range(50):
        sent(redis, ("INCR", "count")).end()
        assert int(redis.get("count") or 0) == number + 1
    # The server's keeper has one, too.
    assert len(redis.client_list()) <= 2


def test_others_ask_meanwhile(redis: Redis) -> None:
    under_way = sent(redis, ("SET", "a", "1"))
    until(lambda: redis.get("a") == b"1")
    under_way.end()


@pytest.mark.parametrize("command", [("INCR", "word"), ("NO_COMMAND",), ("GET",)], ids=" ".join)
def test_what_is_refused_raises_and_leaves_the_connection_sound(redis: Redis, command: tuple[str, ...]) -> None:
    redis.set("word", "x")
    with pytest.raises(ResponseError):
        sent(redis, ("SET", "a", "1"), command).end()
    assert redis.get("word") == b"x"
    assert redis.set("a", "2")


def test_answer_that_never_comes_is_an_error(redis: Redis) -> None:
    server = int(redis.info()["process_id"])
    os.kill(server, signal.SIGSTOP)
    under_way = sent(redis, ("SET", "a", "1"))
    os.kill(server, signal.SIGKILL)
    with pytest.raises(RedisConnectionError):
        under_way.end()


def test_it_is_carried_out_although_the_sender_is_gone(redis: Redis) -> None:
    url = f"unix://{redis.connection_pool.connection_kwargs['path']}"
    assert subprocess.run([sys.executable, "-c", ENDS_AT_ONCE, url], check=False).returncode == 1
    until(lambda: redis.get("count") == b"1")
    assert redis.get("sent") == b"by one who is gone"
