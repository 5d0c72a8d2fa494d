"""What the watchdog of a front end looks after besides dead workers: room, and searches that nobody can run."""

from shardwater.catalog import Catalog
from worker.client import Client
from worker.presence import workers
from worker.queues import LIVE, shard_queues, text
from worker.retention import make_room
from worker.settings import Settings
from worker.states import Failure, SearchExpired, SearchNotFound


def upkeep(client: Client, settings: Settings) -> None:
    """One look; two front ends may look at a time."""
    make_room(client, settings.max_stored_bytes)
    end_searches_of_removed_versions(client, Catalog(settings.data))


def end_searches_of_removed_versions(client: Client, catalog: Catalog) -> None:
    """Fail the searches whose database version is gone from the data folder, once no worker holds it any more."""
    held = None
    for search in map(text, client.redis.smembers(LIVE)):
        try:
            target = client.target(search)
            used = target.used
            if used.version in catalog.versions(used.name):
                continue
            # One that drains finishes the search that it is at.
            held = {worker.place.queue for worker in workers(client.redis)} if held is None else held
            if held.isdisjoint(shard_queues(target)):
                detail = f"version {used.version} of database {used.name} was removed before the search was done"
                client.fail(search, Failure("shard-failed", detail))
        except (SearchNotFound, SearchExpired):
            continue
