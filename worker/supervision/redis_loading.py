"""A queue's server that has just been started reads its file first, and until then refuses every command."""

import time

from redis import Redis
from redis.exceptions import BusyLoadingError, RedisError

from worker.cli.console import say

LOOK_S = 0.05


def await_loaded(redis: Redis) -> None:
    """Return when the server has read its file, however long that takes; at once where it does not answer."""
    told = False
    while True:
        try:
            redis.ping()
        except BusyLoadingError:
            if not told:
                say("Loading the queue from disk ...")
            told = True
            time.sleep(LOOK_S)
        except RedisError:
            # Whoever uses it says so.
            return
        else:
            return
