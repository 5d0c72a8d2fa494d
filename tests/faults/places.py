"""Where services are run that harm is done to: each over a database `demo` of its own, in two shards."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from redis import Redis

from shardwater.database.build import build_database
from shardwater.sequences.fasta import Record
from tests.faults.network import network
from tests.faults.service import Apart, Service, served
from worker.supervision.valkey import EmbeddedValkey

ROOT = Path(__file__).parents[2]
HOOKS = Path(__file__).parent / "hooks"
CLOCK = "SHARDWATER_FAULTS_CLOCK"
DISK_MEGABYTES = 32
FEW_FILES = 1024
_CLONE_NEWNS, _MS_REC, _MS_PRIVATE = 0x20000, 0x4000, 0x40000


class NotHere(Exception):
    """A harm that cannot be done on this machine, and why."""


def write_database(records: Sequence[Record], data: Path) -> None:
    """The database of these records."""
    data.mkdir(parents=True, exist_ok=True)
    source = data / "source.fasta"
    source.write_text("".join(f">{record.header}\n{record.residues.decode()}\n" for record in records))
    build_database([source], data, name="demo", shards=2)


def clock(folder: Path, offset_s: int) -> dict[str, str]:
    """The environment of a process whose wall clock is so far ahead of the machine's; raises NotHere."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise NotHere("there is no C compiler (cc) to build a clock with")
    library, offset = folder / "clock.so", folder / f"offset {offset_s}"
    if not library.exists():
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", library, HOOKS / "clock.c", "-ldl"], check=True)
    offset.write_text(str(offset_s))
    return {"LD_PRELOAD": str(library), CLOCK: str(offset)}


@contextmanager
def plain(data: Path, records: Sequence[Record]) -> Iterator[Service]:
    """A service as anybody runs it."""
    write_database(records, data)
    with served(Service(data)) as service:
        yield service


@contextmanager
def poisonable(data: Path, records: Sequence[Record]) -> Iterator[Service]:
    """One whose workers die of a query called `poison`."""
    write_database(records, data)
    with served(Service(data, {"PYTHONPATH": f"{HOOKS}:{ROOT}"})) as service:
        yield service


@contextmanager
def behind_network(data: Path, records: Sequence[Record]) -> Iterator[Service]:
    """One whose Redis is reached by TCP, over a network that can be cut."""
    write_database(records, data)
    valkey = EmbeddedValkey(data)
    with network(valkey.start().removeprefix("unix://")) as between, Redis.from_url(valkey.url):
        service = Service(data, arguments=("--redis", between.url), valkey=valkey, network=between)
        with served(service):
            yield service


@contextmanager
def with_own_clock(data: Path, records: Sequence[Record]) -> Iterator[Service]:
    """One whose wall clock can be set, for it alone."""
    write_database(records, data)
    with served(Service(data, clock(data, 0))) as service:
        yield service


@contextmanager
def with_workers_clocks(data: Path, records: Sequence[Record]) -> Iterator[Service]:
    """One whose workers are nobody's children, as on other machines; the one's clock is ahead, the other's behind."""
    write_database(records, data)
    valkey = EmbeddedValkey(data)
    url = valkey.start()
    workers = tuple(
        Apart(
            ("work", "--database", "demo", "--shard", str(shard), "--data", str(data), "--redis", url), clock(data, off)
        )
        for shard, off in enumerate((7200, -7200))
    )
    service = Service(data, arguments=("--redis", url, "--app-only"), valkey=valkey, apart=workers)
    with Redis.from_url(url), served(service):
        yield service


@contextmanager
def watched(data: Path, records: Sequence[Record]) -> Iterator[Service]:
    """One whose supervisor is looked after by a service manager with a watchdog."""
    write_database(records, data)
    with served(Service(data, watchdog_s=5)) as service:
        yield service


@contextmanager
def with_few_files(data: Path, records: Sequence[Record]) -> Iterator[Service]:
    """One whose processes may open few files."""
    write_database(records, data)
    with served(Service(data, most_files=FEW_FILES)) as service:
        yield service


@contextmanager
def on_small_disk(data: Path, records: Sequence[Record]) -> Iterator[Service]:
    """One whose data folder is a small file system of its own, which no other process sees."""
    _leave_the_others_mounts()
    data.mkdir(parents=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MEGABYTES}m", "tmpfs", data], check=True)
    try:
        with plain(data, records) as service:
            yield service
    finally:
        subprocess.run(["umount", "-l", data], check=True)


def _leave_the_others_mounts() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNS) or libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None):
        raise NotHere(f"no mount namespace of our own: {os.strerror(ctypes.get_errno())}")
