"""An MSA in a folder: its arrays as files of numpy, which are read where they lie, and the rest as JSON."""

import json
from pathlib import Path
from tokenize import TokenError
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shardwater.database.storage import sync
from shardwater.msa.msa import FIGURES, Msa
from shardwater.msa.provenance import Provenance
from shardwater.msa.texts import Texts
from shardwater.sequences.fasta import Record

MAPPED = 1 << 20
"""Bytes of a file that is read where it lies."""
_ABOUT = "about.json"
_ARRAYS = ("figures", "headers", "header_offsets", "letters", "letter_offsets")
_OF_MEMBERS = ("representatives", "representative_offsets")
"""Where rows are of members of clusters."""
_UNREADABLE = (AttributeError, EOFError, LookupError, MemoryError, RecursionError, TokenError, TypeError, ValueError)
"""What readers of JSON and of numpy's files raise for odd bytes."""


class DamagedMsa(ValueError):
    """Files that are no MSA, or not all of one."""


def write_kept(msa: Msa, folder: Path) -> None:
    """Write an MSA into a folder that is there, so that a crash does not take any of it away."""
    texts = (msa.headers, msa.letters, *(() if msa.representatives is None else (msa.representatives,)))
    arrays = (msa.figures, *(array for each in texts for array in (each.joined, each.offsets)))
    for name, array in zip((*_ARRAYS, *_OF_MEMBERS), arrays, strict=False):
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
        sync(folder / f"{name}.npy")
    about = {
        "header": msa.query.header,
        "residues": msa.query.residues.decode(),
        "organisms": {str(taxid): name for taxid, name in msa.organisms.items()},
        "provenance": None if msa.provenance is None else msa.provenance.as_json(),
    }
    (folder / _ABOUT).write_text(json.dumps(about), encoding="utf-8")
    sync(folder / _ABOUT)
    sync(folder)


def read_kept(folder: Path) -> Msa:
    """The MSA in a folder, of which letters are read as they are asked for. Raises OSError and DamagedMsa."""
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        arrays = [_array(folder / f"{name}.npy") for name in _ARRAYS]
        figures, headers, header_offsets, letters, letter_offsets = arrays
        named = _representatives(folder)
        texts = ((headers, header_offsets), (letters, letter_offsets), *named)
        if figures.dtype != FIGURES or not all(_are_texts(len(figures), *each) for each in texts):
            raise DamagedMsa("its files do not go together")
        provenance = about["provenance"]
        return Msa(
            Record(about["header"], about["residues"].encode()),
            figures,
            Texts(headers, header_offsets),
            Texts(letters, letter_offsets),
            {int(taxid): name for taxid, name in about["organisms"].items()},
            provenance=None if provenance is None else Provenance.from_json(provenance),
            representatives=Texts(*named[0]) if named else None,
        )
    except _UNREADABLE as error:
        raise DamagedMsa(f"what is kept is no MSA: {error}") from error


def _representatives(folder: Path) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """Names and their offsets; nothing where all rows are subjects."""
    names, offsets = (folder / f"{name}.npy" for name in _OF_MEMBERS)
    return [(_array(names), _array(offsets))] if names.exists() else []


def _are_texts(rows: int, joined: npt.NDArray[Any], offsets: npt.NDArray[Any]) -> bool:
    """Whether these are a text for each row, and where each begins."""
    if joined.dtype != np.uint8 or joined.ndim != 1 or offsets.dtype != np.int64 or offsets.shape != (rows + 1,):
        return False
    return bool(offsets[0] == 0 and offsets[-1] == len(joined) and (np.diff(offsets) >= 0).all())


def _array(file: Path) -> npt.NDArray[Any]:
    # What is small, or empty, is read at once.
    mapped: Literal["r"] | None = "r" if file.stat().st_size > MAPPED else None
    array: npt.NDArray[Any] = np.load(file, mmap_mode=mapped, allow_pickle=False)
    return array
