"""The queue of tests/worker, for the parts of the front end that hear it."""

from tests.worker.conftest import client, database, redis, target

__all__ = ["client", "database", "redis", "target"]
