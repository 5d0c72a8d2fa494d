"""How far long pairs are, in files: whoever does a part again goes on where the worker before was killed.

A file is a .npz without pickles, of numbers alone, and its digest; its name is a digest of all that they follow from.
One that is missing or damaged is ignored: the pair begins anew. What cannot be written costs time alone.
"""

import hashlib
import io
import logging
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from shardwater.alignment.checkpoint import Arrays
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.coded import CodedPair, Report
from shardwater.software import software
from worker.jobs.files import UNFINISHED, JobFiles
from worker.jobs.folders import StorageFull
from worker.jobs.states import DamagedJob

EVERY_S = 1.0
"""How often something is kept."""
SHARE = 20
"""Or so many times what it took the last time, where that is more: keeping takes a twentieth of the time at most."""
MOST_BYTES = 1 << 29
"""Of a pair; of one that would take more nothing is kept."""
SMALL_BYTES = 1 << 10
DIGEST_BYTES = hashlib.sha256().digest_size

log = logging.getLogger(__name__)


class CheckpointFiles:
    """The checkpoints of a part's pairs, in a folder of its own in the job's."""

    def __init__(self, files: JobFiles, job: str, part: int) -> None:
        """part: its number, from 0."""
        self._files, self._job, self._part = files, job, str(part)

    def of(self, pair: CodedPair, scheme: Scheme, report: Report) -> "CheckpointFile":
        """As Checkpoints.of has it."""
        # What is kept depends on who computes it, too.
        from shardwater.alignment.striped import is_available  # noqa: PLC0415  parasail is loaded by those who align

        said = repr((software().version, software().commit, is_available(), scheme, report, len(pair.query)))
        digest = hashlib.sha256(said.encode())
        for codes in (pair.query, pair.subject):
            digest.update(np.ascontiguousarray(codes).data)
        return CheckpointFile(self._files, self._job, (UNFINISHED, self._part, f"{digest.hexdigest()}.npz"))

    def discard(self) -> None:
        """Forget all: the part is done."""
        self._files.discard(self._job, UNFINISHED, self._part)


class CheckpointFile:
    """The checkpoint of a pair."""

    def __init__(self, files: JobFiles, job: str, path: Sequence[str]) -> None:
        self._files, self._job, self._path = files, job, path
        self._arrays = _read(files.folder(job).joinpath(*path))
        self._next = time.monotonic() + EVERY_S
        if "index" in self._arrays:
            log.info("a long pair goes on from row %d", self._arrays["index"][-1])

    @property
    def arrays(self) -> Arrays:
        """As Checkpoint.arrays has it."""
        return self._arrays

    @property
    def due(self) -> bool:
        """As Checkpoint.due has it."""
        return time.monotonic() >= self._next

    def save(self, arrays: Arrays) -> None:
        """As Checkpoint.save has it."""
        began = time.monotonic()
        every = {**self._arrays, **arrays}
        # The rest is with whoever aligns the pair, and need not stand in memory twice.
        self._arrays = {name: each for name, each in every.items() if each.nbytes <= SMALL_BYTES}
        if sum(each.nbytes for each in every.values()) <= MOST_BYTES:
            packed = io.BytesIO()
            np.savez(packed, allow_pickle=False, **every)
            digest = hashlib.sha256(packed.getbuffer()).digest()
            packed.seek(0, io.SEEK_END)
            packed.write(digest)
            try:
                self._files.keep(self._job, packed.getvalue(), *self._path)
            except DamagedJob:
                # Somebody has deleted the job: its folder is not made again.
                log.info("the checkpoint of a long pair is not saved: its job is gone")
            except StorageFull as error:
                log.warning("the checkpoint of a long pair is not saved: %s", error)
        ended = time.monotonic()
        self._next = ended + max(EVERY_S, SHARE * (ended - began))


def _read(path: Path) -> Arrays:
    """What was kept; nothing where there is none, or no longer all of it."""
    try:
        content = memoryview(path.read_bytes())
    except OSError:
        return {}
    packed, digest = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
    if hashlib.sha256(packed).digest() != digest:
        return {}
    try:
        with np.load(io.BytesIO(packed), allow_pickle=False) as kept:
            return dict(kept)
    except (AttributeError, EOFError, OSError, ValueError, zipfile.BadZipFile):
        return {}
