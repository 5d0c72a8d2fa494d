"""Archives of tables: a report is read as it is written, and nothing of it is kept for who reads slowly."""

import io
import tarfile
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.compat import mmseqs
from app.compat.colabfold.downloads import packed
from app.service import Service
from shardwater.formats.chunks import CHUNK

SEARCHES = {"s-1": "first", "s-2": "second"}


class Store:
    """Searches that have ended, which notes whose results were read."""

    def __init__(self) -> None:
        self.read = list[str]()

    def stored(self, search: str) -> Any:
        self.read.append(search)
        database = SimpleNamespace(name=SEARCHES[search])
        return SimpleNamespace(report=lambda: SimpleNamespace(database=database))


def test_reports_are_read_as_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(report: Any, _: object) -> Iterator[str]:
        yield report.database.name * CHUNK

    monkeypatch.setattr(mmseqs, "find", lambda *_: list(SEARCHES))
    monkeypatch.setattr(mmseqs, "write_tab", write)
    store = Store()
    pieces = packed(mmseqs._tables(cast(Service, SimpleNamespace(store=store)), "ticket"))
    begun = next(pieces)
    # For the names, before anything is sent; then for the first table's length, and only then again.
    assert store.read == ["s-1", "s-2", "s-1"]
    whole = b"".join([begun, *pieces])
    assert store.read == ["s-1", "s-2", "s-1", "s-1", "s-2", "s-2"]
    with tarfile.open(fileobj=io.BytesIO(whole)) as tar:
        assert tar.getnames() == ["alis_first.m8", "alis_second.m8"]
        found = [file.read().decode() for file in map(tar.extractfile, tar.getmembers()) if file]
    assert found == ["first" * CHUNK, "second" * CHUNK]
