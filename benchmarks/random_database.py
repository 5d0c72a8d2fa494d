"""Databases of random proteins in memory, for benchmarks that need a size and not a file."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from shardwater.database.database import Database
from shardwater.database.manifest import Manifest
from shardwater.sequences.fasta import Record

LETTERS = np.frombuffer(b"ARNDCQEGHILKMFPSTWYV", np.uint8)
BLOCK = 1 << 30


def random_database(
    lengths: npt.NDArray[np.uint32], seed: int = 1, often: npt.NDArray[np.float64] | None = None
) -> Database:
    """Subjects of these ascending lengths; letters repeat after BLOCK of them.

    often: how often each residue occurs, by code; all are as frequent where None.
    """
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, dtype=np.int64, out=offsets[1:])
    total = int(offsets[-1])
    residues = np.empty(total, np.uint8)
    first = residues[: min(total, BLOCK)]
    with ThreadPoolExecutor() as threads:
        list(threads.map(lambda part: _fill(first, part, seed, often), range(0, len(first), 1 << 24)))
        list(threads.map(lambda start: _repeat(residues, first, start), range(len(first), total, 1 << 28)))
    no_names, name_offsets, empty = np.zeros(0, np.uint8), np.zeros(len(offsets), np.int64), np.zeros(0, np.int64)
    manifest = Manifest(
        name="random", title="", version="0", checksum="", subjects=len(lengths), residues=total,
        longest=int(lengths[-1]), shortest=int(lengths[0]), shards=1, replaced={}, files={},
    )  # fmt: skip
    names = no_names, name_offsets, empty.view(np.uint64), empty
    return Database(Path(), manifest, datetime.now(UTC), None, None, residues, lengths, offsets, *names)


def _fill(block: npt.NDArray[np.uint8], start: int, seed: int, often: npt.NDArray[np.float64] | None) -> None:
    part, rng = block[start : start + (1 << 24)], np.random.default_rng([seed, start])
    chosen = rng.integers(0, 20, len(part), dtype=np.uint8) if often is None else rng.choice(20, len(part), p=often)
    part[:] = LETTERS[chosen]


def _repeat(residues: npt.NDArray[np.uint8], block: npt.NDArray[np.uint8], start: int) -> None:
    part = residues[start : start + (1 << 28)]
    # Shifted, so that equal letters do not lie at equal distances.
    shift = (start * 7919) % max(1, len(block) - len(part))
    part[:] = block[shift : shift + len(part)]


def random_query(length: int, seed: int = 2) -> Record:
    """A random protein."""
    return Record("random", LETTERS[np.random.default_rng([seed, length]).integers(0, 20, length)].tobytes())
