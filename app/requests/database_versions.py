"""The versions of databases that a job may run on: the current ones, or others that still have workers."""

from collections.abc import Sequence

from app.problems import InvalidParameterError, NotHereError
from app.service import Service
from shardwater.database.database import Database
from worker.jobs.states import ShardUnavailable
from worker.jobs.targets import SearchTarget, search_target


class Versions:
    """The versions of a database that a search names, the best first: `now` is one of them, None after the last."""

    def __init__(self, service: Service, pointer: str, name: str) -> None:
        self._versions, self._pointer = service.versions(name), pointer
        self.now: Database | None = None
        self.go_on()

    def go_on(self) -> None:
        """To the next one; raises InvalidParameterError where no database is called so."""
        try:
            self.now = next(self._versions, None)
        except NotHereError as error:
            raise InvalidParameterError(self._pointer, str(error)) from None


def available(service: Service, named: Sequence[tuple[str, str]]) -> SearchTarget:
    """Databases, each named with where in the request it is, in the best versions that have workers.

    Raises InvalidParameterError where no database is called so, ShardUnavailable where none of its versions has any.
    """
    refused: list[ShardUnavailable] = []
    versions = [Versions(service, pointer, name) for pointer, name in named]
    while all(each.now for each in versions):
        target = search_target(*(each.now.manifest for each in versions if each.now))
        try:
            service.store.check_alive(target)
        except ShardUnavailable as error:
            refused.append(error)
            versions[target.database_of(target.queues.index(error.queue))].go_on()
        else:
            return target
    raise refused[0]
