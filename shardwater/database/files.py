"""The files of a database's subjects, made of a run of all of them."""

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.database.accessions import write_index
from shardwater.database.runs import Budgets, Run
from shardwater.database.storage import DigestedFile, FileDigest, read_numbers, read_slice, sync, write_file
from shardwater.sequences.fasta import first_word


def write_files(run: Run, folder: Path, budgets: Budgets) -> dict[str, FileDigest]:
    """Make the files of a database from a run of everything; syncing goes on while the next file is made."""
    folder.mkdir()
    digests: dict[str, FileDigest] = {}
    with ThreadPoolExecutor() as pool:
        syncs: list[Future[None]] = []
        for column in ("residues", "names"):
            digests[f"{column}.bin"] = run.digests[column]
            run.path(column).rename(folder / f"{column}.bin")
            syncs.append(pool.submit(sync, folder / f"{column}.bin"))
        for name, digest in _write_arrays(run, folder, budgets.subjects):
            digests[name] = digest
            syncs.append(pool.submit(sync, folder / name))
        for each in syncs:
            each.result()
    return digests


def _write_arrays(run: Run, folder: Path, size: int) -> Iterator[tuple[str, FileDigest]]:
    lengths = (block.astype("<u4") for block in run.table.blocks(size))
    yield "lengths.bin", write_file(folder / "lengths.bin", lengths)
    yield "offsets.bin", write_file(folder / "offsets.bin", offsets_of(run.table.blocks(size)))
    name_lengths = read_numbers(run.path("name_lengths"), np.dtype("<u4"), size)
    yield "name_offsets.bin", write_file(folder / "name_offsets.bin", offsets_of(name_lengths))
    hashes, subjects = "accession_hashes.bin", "accession_subjects.bin"
    accession_of = partial(_accession, folder)
    with DigestedFile(folder / hashes) as hash_file, DigestedFile(folder / subjects) as subject_file:
        write_index(run.path("hashes"), accession_of, hash_file, subject_file, size)
        digests = hash_file.digest(), subject_file.digest()
    yield hashes, digests[0]
    yield subjects, digests[1]


def offsets_of(lengths: Iterable[npt.NDArray[Any]]) -> Iterator[npt.NDArray[np.int64]]:
    """0, then where each thing ends that has one of these lengths."""
    end = np.zeros(1, dtype="<i8")
    yield end
    for block in lengths:
        ends = end[-1] + np.cumsum(block, dtype="<i8")
        yield ends
        end = ends


def _accession(folder: Path, subject: int) -> bytes:
    start, stop = np.frombuffer(read_slice(folder / "name_offsets.bin", subject * 8, 16), dtype="<i8").tolist()
    return first_word(read_slice(folder / "names.bin", start, stop - start))
