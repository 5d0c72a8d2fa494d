"""An empty queue with a small database, for the parts of the front end that hear it."""

from tests.support.queue_fixtures import database, redis, store, target, valkey

__all__ = ["database", "redis", "store", "target", "valkey"]
