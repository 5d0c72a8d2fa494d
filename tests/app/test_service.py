"""What requests share: databases that are removed while somebody asks for them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app.middleware.reply_room import ReplyRoom
from app.problems import NotHereError
from app.service import Service
from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.verified import RECORD
from shardwater.errors import DatabaseError
from worker.settings import Settings
from worker.telemetry.counters import Tally


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Two databases, one of which has two versions; nobody asks its queue."""
    source, data = tmp_path / "x.fa", tmp_path / "data"
    for name, version, letters in (("first", "1", "MK"), ("first", "2", "MKV"), ("other", "1", "MKL")):
        source.write_text(f">a\n{letters}\n")
        build_database([source], data, name=name, version=version)
    service = Service(Settings(data=data, redis_url="redis://127.0.0.1:1/0"), Tally(), ReplyRoom(1))
    yield service
    service.soundness.close()
    service.writers.close()
    service.tellers.close()


def removing(monkeypatch: pytest.MonkeyPatch, service: Service, owner: Any, method: str) -> None:
    """Have the first database removed just before this is called."""
    before = getattr(owner, method)

    def removed(*arguments: Any, **named: Any) -> Any:
        with suppress(DatabaseError):
            Catalog(service.settings.data).remove("first")
        return before(*arguments, **named)

    monkeypatch.setattr(owner, method, removed)


def names(databases: list[Database]) -> list[str]:
    return [database.manifest.name for database in databases]


@pytest.mark.parametrize("method", ["open", "mapped"])
def test_a_database_that_is_removed_while_it_is_asked_for_is_not_there(
    service: Service, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    assert names(service.databases()) == ["first", "other"]
    service.database("first", "1")
    removing(monkeypatch, service, Database, method)
    # It is opened anew, as one whose labels have changed.
    (service.settings.data / "first" / "2" / "manifest.json").touch()
    assert names(service.databases()) == names(service.searchable()) == ["other"]
    with pytest.raises(NotHereError, match="there are: other"):
        service.database("first")


def test_one_that_is_removed_while_its_files_are_read_is_not_there(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    (service.settings.data / "first" / "2" / RECORD).unlink(missing_ok=True)
    removing(monkeypatch, service, service.soundness, "check")
    with pytest.raises(NotHereError, match="version 2 of database first has been removed"):
        service.readable("first")


def test_a_damaged_one_is_told_as_that(service: Service) -> None:
    (service.settings.data / "first" / "2" / "names.bin").unlink()
    with pytest.raises(DatabaseError, match=r"names\.bin: missing"):
        service.database("first")
