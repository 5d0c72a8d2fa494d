"""The data folder: DATA/<name>/<version>/ is one version of a database, DATA/<name>/current names the one in use.

A version is there whole or not at all: builders work in hidden folders and rename. Switching `current` is one rename
too, so that readers need no lock.
"""

import re
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shardwater.database.database import Database
from shardwater.database.manifest import MANIFEST
from shardwater.database.storage import is_abandoned, locked, replace_text, sync
from shardwater.errors import DatabaseError

CURRENT = "current"
PARTIAL = ".partial-"
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def check_label(kind: str, label: str) -> str:
    """The label, if it can be a folder, a queue name and part of a URL; kind is 'name' or 'version'."""
    if not _LABEL.fullmatch(label):
        rule = "1 to 64 of A-Z, a-z, 0-9, '.', '_', '-', the first a letter or digit"
        raise DatabaseError(f"database {kind} {label!r} is not allowed: {rule}")
    if kind == "version" and label == CURRENT:
        raise DatabaseError(f"database version {label!r} is not allowed: it is the name of a file")
    return label


@dataclass(frozen=True, slots=True)
class Catalog:
    """The databases of a data folder."""

    data: Path

    def names(self) -> list[str]:
        """The databases that have a current version."""
        names = (name for name in _names_in(self.data) if _LABEL.fullmatch(name))
        return sorted(name for name in names if self._holds(name, self._current_version(name) or ""))

    def versions(self, name: str) -> list[str]:
        """The versions of a database that can be opened."""
        found = _names_in(self.data / check_label("name", name))
        return sorted(version for version in found if self._holds(name, version))

    def current_version(self, name: str) -> str:
        """The version that searches use unless they name one."""
        version = self._current_version(check_label("name", name))
        if version is None or not self._holds(name, version):
            known = ", ".join(self.names()) or "none"
            raise DatabaseError(f"no database {name!r} in {self.data}; there are: {known}")
        return version

    def current(self, name: str) -> Database:
        """The current version of a database, open."""
        return self.open(name, self.current_version(name))

    def open(self, name: str, version: str | None = None) -> Database:
        """A version of a database, the current one by default."""
        if version is None:
            return self.current(name)
        return Database.open(self.data / name / self._known(name, version))

    def make_current(self, name: str, version: str) -> None:
        """Let searches use this version from now on."""
        replace_text(self.data / name / CURRENT, self._known(name, version) + "\n")

    def remove(self, name: str, version: str | None = None) -> None:
        """Delete one version, or the whole database.

        The current version goes only with the whole database or as its last version: a search that names no version
        must not change its meaning because of a clean-up.
        """
        versions = [self._known(name, version)] if version else self.versions(name)
        if not versions:
            self.current_version(name)
        others = set(self.versions(name)) - set(versions)
        if others and self._current_version(name) in versions:
            detail = f"version {version!r} is the current one of {name!r}; make another current first"
            raise DatabaseError(f"{detail} ({', '.join(sorted(others))})")
        with locked(self.data / name):
            if not others:
                (self.data / name / CURRENT).unlink(missing_ok=True)
            for each in versions:
                discard(self.data / name / each)
            sweep(self.data / name)
        if not others:
            _remove_if_empty(self.data / name)

    def _current_version(self, name: str) -> str | None:
        try:
            return (self.data / name / CURRENT).read_text(encoding="utf-8").strip()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _holds(self, name: str, version: str) -> bool:
        return _LABEL.fullmatch(version) is not None and (self.data / name / version / MANIFEST).is_file()

    def _known(self, name: str, version: str) -> str:
        versions = self.versions(name)
        if check_label("version", version) not in versions:
            known = ", ".join(versions) or "none"
            raise DatabaseError(f"no version {version!r} of database {name!r}; there are: {known}")
        return version


def _names_in(folder: Path) -> list[str]:
    """What is in a folder; nothing where there is none, or it has been removed meanwhile."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return [path.name for path in folder.iterdir()]
    return []


def sweep(folder: Path) -> None:
    """Delete what crashed builders left in a database's folder; its lock must be held."""
    for partial in folder.glob(f"{PARTIAL}*"):
        if is_abandoned(partial):
            shutil.rmtree(partial, ignore_errors=True)


def discard(version: Path) -> None:
    """Delete a version; renamed first, so that no reader ever sees half of it."""
    hidden = Path(tempfile.mkdtemp(prefix=PARTIAL, dir=version.parent))
    version.rename(hidden / version.name)
    sync(version.parent)
    shutil.rmtree(hidden)


def _remove_if_empty(folder: Path) -> None:
    if not any(folder.iterdir()):
        folder.rmdir()
