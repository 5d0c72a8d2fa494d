"""What the routes share: settings, the way to the queue, and the databases of the data folder."""

from functools import lru_cache
from typing import Annotated, cast

from fastapi import Depends, Request
from redis.asyncio import Redis as AsyncRedis

from app.errors import NotHereError
from app.waiting import Endings
from shardwater.catalog import Catalog
from shardwater.database import MANIFEST, Database
from worker.client import Client
from worker.settings import Settings
from worker.states import search_target


class Service:
    """One per app."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.client = Client(settings.connect(), settings.retention)
        self._events: AsyncRedis = AsyncRedis.from_url(settings.redis_url)
        self.endings = Endings(self._events, self.client)
        self.catalog = Catalog(settings.data)

    def database(self, name: str, version: str | None = None) -> Database:
        """A database of the data folder, the current version by default; raises NotHereError."""
        names = self.catalog.names()
        if name not in names:
            # The name is not repeated: in a body that was filled in wrongly it may be a sequence.
            raise NotHereError(f"no database of this name; there are: {', '.join(names) or 'none'}")
        version = version or self.catalog.current_version(name)
        if version not in self.catalog.versions(name):
            raise NotHereError(f"version {version} of database {name} has been removed")
        path = self.settings.data / name / version / MANIFEST
        # A version's content never changes, but its labels may be built anew.
        written = path.stat().st_mtime_ns if path.is_file() else 0
        return _open(self.catalog, name, version, written)

    def served(self, name: str) -> Database:
        """The version that a search runs on: the current one, or one that has workers while that still loads."""
        current = self.database(name)
        others = (self.database(name, version) for version in reversed(self.catalog.versions(name)))
        alive = (found for found in (current, *others) if all(self.client.alive(search_target(found.manifest))))
        return next(alive, current)

    async def close(self) -> None:
        """Give the connections back."""
        self.client.redis.close()
        await self._events.aclose()


@lru_cache(maxsize=64)
def _open(catalog: Catalog, name: str, version: str, written: int) -> Database:
    return catalog.open(name, version)


def _service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


CurrentService = Annotated[Service, Depends(_service)]
