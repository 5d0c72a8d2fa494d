"""What `shardwater doctor` looks at on this machine: programs, data, limits; queue and GPUs have their own modules.

Nothing is changed, no secret is shown, and each finding that is no good says what to do.
"""

import os
import platform
import resource
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from shardwater.database.catalog import Catalog
from shardwater.database.verified import is_verified, verify
from shardwater.errors import AlignError
from shardwater.plural import plural
from worker.settings import Settings
from worker.supervision.valkey import FOLDER, EmbeddedValkey

State = Literal["ok", "warning", "fault"]

PACKAGE = "shardwater"
LEAST_FREE = 1 << 30
SCARCE = 0.05
"""Of a disk: less than this is worth a warning."""
FEW_FILES = 4096
"""Open files that a front end with a thousand clients and their streams needs at least."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do if that is no good."""

    check: str
    state: State
    found: str
    advice: str = ""


def programs() -> Iterator[Finding]:
    """Python and the packages that Shardwater asks for."""
    wanted = metadata(PACKAGE)["Requires-Python"]
    if platform.python_version() in SpecifierSet(wanted):
        yield Finding("Python", "ok", platform.python_version())
    else:
        yield Finding("Python", "fault", platform.python_version(), f"install Shardwater with a Python {wanted}")
    needed = [Requirement(text) for text in requires(PACKAGE) or ()]
    needed = [each for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]
    wrong = [finding for each in needed if (finding := _package(each)) is not None]
    yield from wrong
    yield Finding("packages", "ok", f"{len(needed) - len(wrong)} of {len(needed)} as required")


def _package(needed: Requirement) -> Finding | None:
    advice = "pip install --require-hashes -r requirements/runtime.txt"
    try:
        found = version(needed.name)
    except PackageNotFoundError:
        return Finding(f"package {needed.name}", "fault", "not installed", advice)
    if needed.specifier.contains(found, prereleases=True):
        return None
    return Finding(f"package {needed.name}", "fault", f"{found}, needed is {needed.specifier}", advice)


def data_folder(settings: Settings, *, checksums: bool = False) -> Iterator[Finding]:
    """The folder of the databases, and each of them; `checksums` reads them whole."""
    data = settings.data
    if not data.is_dir():
        yield Finding("data folder", "fault", f"{data} is not there", "name it with --data or SHARDWATER_DATA")
        return
    if not os.access(data, os.R_OK | os.X_OK):
        yield Finding("data folder", "fault", f"{data} cannot be read", "let this user read it")
        return
    if os.access(data, os.W_OK):
        yield Finding("data folder", "ok", str(data))
    else:
        advice = "workers need no more; makedb and serve's own queue need to write"
        yield Finding("data folder", "warning", f"{data} is read-only for this user", advice)
    yield _disk(data)
    queue = data / FOLDER
    if queue.is_dir() and queue.stat().st_mode & 0o077:
        yield Finding("queue's folder", "fault", f"{queue} is open to others", f"chmod 700 {queue}")
    yield from _databases(Catalog(data), checksums=checksums)


def _disk(folder: Path) -> Finding:
    usage = shutil.disk_usage(folder)
    found = f"{usage.free / 1e9:,.1f} of {usage.total / 1e9:,.1f} GB free"
    if usage.free < LEAST_FREE:
        return Finding("disk", "fault", found, "make room: a full disk stops the queue")
    if usage.free < SCARCE * usage.total:
        return Finding("disk", "warning", found, "make room soon")
    return Finding("disk", "ok", found)


def _databases(catalog: Catalog, *, checksums: bool) -> Iterator[Finding]:
    names = catalog.names()
    if not names:
        advice = "to search, build one: shardwater makedb FASTA --name NAME --out DATA"
        yield Finding("databases", "warning", "none", advice)
    for name in names:
        current = catalog.current_version(name)
        for each in catalog.versions(name):
            what = f"database {name}, version {each}"
            try:
                database = catalog.open(name, each)
                if checksums:
                    verify(database)
            except (AlignError, OSError) as error:
                yield Finding(what, "fault", str(error), "copy or build it again; go back with: shardwater db use")
                continue
            manifest = database.manifest
            shards = [plural(manifest.shards, "shard")] if manifest.alphabet == "protein" else []
            notes = [f"{plural(manifest.subjects, 'sequence')} ({manifest.alphabet})", *shards]
            unread = "right when last compared" if is_verified(database) else "not compared yet"
            notes += ["current"] * (each == current) + [f"checksums {'right' if checksums else unread}"]
            yield Finding(what, "ok", ", ".join(notes))


def machine(settings: Settings) -> Iterator[Finding]:
    """Limits of the system that the service meets under load."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < FEW_FILES:
        advice = f"raise it to {FEW_FILES} (ulimit -n, LimitNOFILE=): each client and stream takes one"
        yield Finding("open files", "warning", f"at most {soft:,} (hard limit {hard:,})", advice)
    else:
        yield Finding("open files", "ok", f"at most {soft:,}")
    if settings.redis_url:
        return
    try:
        socket = Path(EmbeddedValkey(settings.data).url.removeprefix("unix://"))
    except (AlignError, OSError) as error:
        yield Finding("socket folder", "fault", str(error), "remove it, or name another in XDG_RUNTIME_DIR")
        return
    yield writable("socket folder", socket.parent, "name another in XDG_RUNTIME_DIR")


def writable(check: str, folder: Path, advice: str) -> Finding:
    """Whether a file can be written in a folder, found out by doing so."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Finding(check, "ok", str(folder))
    except OSError as error:
        return Finding(check, "fault", f"{folder}: {error.strerror}", advice)


def sound(findings: Iterable[Finding]) -> bool:
    """Whether nothing is at fault; a warning is no fault."""
    return all(finding.state != "fault" for finding in findings)
