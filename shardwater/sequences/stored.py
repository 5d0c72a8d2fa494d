"""Named sequences in a folder: any of them by its number, at once, without reading the others."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Self, overload

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError
from shardwater.sequences.alphabets import Alphabet
from shardwater.sequences.named import Letters
from shardwater.sequences.reads import read_records

_LETTERS, _NAMES, _OFFSETS, _NAME_OFFSETS, _KNOWN = "letters", "names", "offsets", "name_offsets", "known.json"
_BUFFER = 1 << 20
_AT_ONCE = 1 << 12
"""Records whose offsets are written together."""


class DamagedSequences(AlignError):
    """A folder of sequences of which something is missing or not as it was written."""


class StoredSequences(Sequence[Letters]):
    """The sequences of a folder, whose files are mapped."""

    def __init__(self, folder: Path, digest: str) -> None:
        """Those that `write` has written; use `open`."""
        self.digest, self._folder = digest, folder
        self.offsets = _mapped(folder / _OFFSETS, np.dtype("<i8"))
        self.letters = _mapped(folder / _LETTERS, np.dtype(np.uint8))
        self._names = _mapped(folder / _NAMES, np.dtype(np.uint8))
        self._name_offsets = _mapped(folder / _NAME_OFFSETS, np.dtype("<i8"))
        for offsets, content in ((self.offsets, self.letters), (self._name_offsets, self._names)):
            if len(offsets) != len(self.offsets) or not len(offsets) or offsets[0] or offsets[-1] != len(content):
                raise DamagedSequences(f"{folder.name}: its files do not belong together")
            if (np.diff(offsets) < 0).any():
                raise DamagedSequences(f"{folder.name}: its offsets do not increase")

    @classmethod
    def open(cls, folder: Path) -> Self:
        """What `write` has written; raises DamagedSequences."""
        try:
            known = json.loads((folder / _KNOWN).read_bytes())
            return cls(folder, str(known["sha256"]))
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise DamagedSequences(f"{folder.name}: {type(error).__name__}") from None

    @classmethod
    def write(cls, folder: Path, records: Iterable[Letters]) -> Self:
        """Write sequences into a new folder, in memory for some thousand of them. Raises OSError."""
        folder.mkdir(mode=0o700)
        letters, names = hashlib.sha256(), hashlib.sha256()
        with (
            _new(folder, _LETTERS) as text,
            _new(folder, _NAMES) as words,
            _new(folder, _OFFSETS) as ends,
            _new(folder, _NAME_OFFSETS) as word_ends,
        ):
            sums = [_Sums(ends), _Sums(word_ends)]
            for record in records:
                name = record.name.encode()
                text.write(record.letters)
                words.write(name)
                letters.update(record.letters)
                names.update(name)
                sums[0].add(len(record.letters))
                sums[1].add(len(name))
            for each in sums:
                each.flush()
        parts = [*(each.digest.hexdigest() for each in sums), letters.hexdigest(), names.hexdigest()]
        digest = hashlib.sha256(" ".join(parts).encode()).hexdigest()
        with _new(folder, _KNOWN) as known:
            known.write(json.dumps({"sha256": digest}).encode())
        return cls(folder, digest)

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Letters of each."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, number: int) -> Letters: ...
    @overload
    def __getitem__(self, number: slice) -> list[Letters]: ...
    def __getitem__(self, number: int | slice) -> Letters | list[Letters]:
        """One of them by its number, or several."""
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        place = number % len(self)
        name = self._names[self._name_offsets[place] : self._name_offsets[place + 1]].tobytes()
        return Letters(name.decode(), self.letters[self.offsets[place] : self.offsets[place + 1]].tobytes())

    def __iter__(self) -> Iterator[Letters]:
        """All of them."""
        return (self[number] for number in range(len(self)))


def store_text(folder: Path, file: BufferedReader, name: str, alphabet: Alphabet, unnamed: str) -> StoredSequences:
    """Store FASTA or FASTQ, plain or gzip, which errors call by this name; raises FastaFormatError and OSError."""
    return StoredSequences.write(folder, (each.letters(alphabet, unnamed) for each in read_records(file, name)))


class _Sums:
    """Writes where each of several things ends, behind the beginning of the first."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._sizes, self._end = file, list[int](), 0
        self.digest = hashlib.sha256()
        file.write(np.zeros(1, "<i8").tobytes())

    def add(self, size: int) -> None:
        self._sizes.append(size)
        if len(self._sizes) == _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        ends = (self._end + np.cumsum(self._sizes, dtype="<i8")).astype("<i8")
        if len(ends):
            self._file.write(ends.tobytes())
            self.digest.update(ends.tobytes())
            self._end = int(ends[-1])
        self._sizes.clear()


@contextmanager
def _new(folder: Path, name: str) -> Iterator[BinaryIO]:
    """A new file, which is on disk in the end."""
    with (folder / name).open("xb", buffering=_BUFFER) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


def _mapped(path: Path, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    size = path.stat().st_size
    if size % kind.itemsize:
        raise DamagedSequences(f"{path.name} has been cut")
    return np.memmap(path, kind, "r") if size else np.empty(0, kind)
