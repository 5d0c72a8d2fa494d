"""Named sequences in a folder: any of them by its number, at once, without reading the others."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from io import BufferedReader
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, Self, overload

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError
from shardwater.sequences.alphabets import Alphabet
from shardwater.sequences.named import Letters
from shardwater.sequences.reads import read_records
from shardwater.sequences.regular import Block, Irregular, regular_blocks

_LETTERS, _NAMES, _OFFSETS, _NAME_OFFSETS, _KNOWN = "letters", "names", "offsets", "name_offsets", "known.json"
_AT_ONCE = 1 << 12
"""Records whose offsets are written together,"""
_LETTERS_AT_ONCE = 1 << 24
"""unless they have more letters."""


class DamagedSequences(AlignError):
    """A folder of sequences of which something is missing or not as it was written."""


class TooManySequences(AlignError):
    """More sequences than are taken."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most:,} sequences")


class StoredSequences(Sequence[Letters]):
    """The sequences of a folder, whose files are mapped: to open it takes no longer for a million of them.

    What is asked of them raises DamagedSequences where it finds offsets that do not increase.
    """

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
        return cls._write(folder, _blocks(records))

    @classmethod
    def write_text(
        cls, folder: Path, file: BufferedReader, name: str, alphabet: Alphabet, unnamed: str, most: int | None = None
    ) -> Self:
        """The same from FASTA or FASTQ, plain or gzip, at its beginning, which errors call by this name.

        Raises FastaFormatError, OSError, and TooManySequences where there are more than `most`.
        """
        try:
            return cls._write(folder, regular_blocks(file, alphabet), most)
        except Irregular:
            shutil.rmtree(folder)
            file.seek(0)
        return cls._write(folder, _blocks(each.letters(alphabet, unnamed) for each in read_records(file, name)), most)

    @classmethod
    def _write(cls, folder: Path, blocks: Iterable[Block], most: int | None = None) -> Self:
        folder.mkdir(mode=0o700)
        with (
            _Written.new(folder, _LETTERS) as letters,
            _Written.new(folder, _NAMES) as names,
            _Written.new(folder, _OFFSETS) as ends,
            _Written.new(folder, _NAME_OFFSETS) as name_ends,
        ):
            files = (letters, names, ends, name_ends)
            for each in (ends, name_ends):
                each.add(np.zeros(1, "<i8").tobytes())
            sums, count = [0, 0], 0
            for block in blocks:
                count += len(block.lengths)
                if most is not None and count > most:
                    raise TooManySequences(most)
                letters.add(block.letters)
                names.add(block.names)
                for place, (file, lengths) in enumerate(((ends, block.lengths), (name_ends, block.name_lengths))):
                    reached = (sums[place] + np.cumsum(lengths)).astype("<i8")
                    file.add(reached.tobytes())
                    sums[place] += int(lengths.sum())
            digest = _digest(each.digest.hexdigest() for each in files)
        with _Written.new(folder, _KNOWN) as known:
            known.add(json.dumps({"sha256": digest}).encode())
        return cls(folder, digest)

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Letters of each."""
        return self._sizes(self.offsets, self.letters)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.offsets) - 1

    def ends(self, numbers: range) -> npt.NDArray[np.int64]:
        """Where in `letters` the first of consecutive ones begins, and where each of them ends."""
        ends = self.offsets[numbers.start : numbers.stop + 1]
        self._sizes(ends, self.letters)
        return ends.astype(np.int64)

    def check(self, numbers: range) -> None:
        """Look whether consecutive ones and their names are to be found."""
        for offsets, content in ((self.offsets, self.letters), (self._name_offsets, self._names)):
            self._sizes(offsets[numbers.start : numbers.stop + 1], content)

    def check_content(self) -> None:
        """Read all of it, and raise DamagedSequences if it is not what was written."""
        files = (self.letters, self._names, self.offsets, self._name_offsets)
        if _digest(hashlib.sha256(each.data).hexdigest() for each in files) != self.digest:
            raise DamagedSequences(f"{self._folder.name}: its files are not what they were")

    def _sizes(self, offsets: npt.NDArray[Any], content: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
        sizes: npt.NDArray[np.int64] = np.diff(offsets)
        if offsets.size and (offsets[0] < 0 or offsets[-1] > len(content) or sizes.min(initial=0) < 0):
            raise DamagedSequences(f"{self._folder.name}: its offsets do not increase, or lie beyond its letters")
        return sizes

    def names(self, numbers: Sequence[int]) -> list[str]:
        """Those of several, by their numbers."""
        if not isinstance(numbers, range):
            known = {number: self._name(number) for number in set(numbers)}
            return [known[number] for number in numbers]
        # One look at the file for all of them.
        offsets = self._name_offsets[numbers.start : numbers.stop + 1]
        self._sizes(offsets, self._names)
        joined = self._names[offsets[0] : offsets[-1]].tobytes()
        return [joined[start:end].decode() for start, end in pairwise((offsets - offsets[0]).tolist())]

    def _name(self, number: int) -> str:
        return self._between(self._names, self._name_offsets[number : number + 2]).decode()

    def _between(self, content: npt.NDArray[np.uint8], ends: npt.NDArray[Any]) -> bytes:
        self._sizes(ends, content)
        return content[ends[0] : ends[1]].tobytes()

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
        return Letters(self._name(place), self._between(self.letters, self.offsets[place : place + 2]), place)

    def __iter__(self) -> Iterator[Letters]:
        """All of them."""
        return (self[number] for number in range(len(self)))


def _blocks(records: Iterable[Letters]) -> Iterator[Block]:
    """Records, some thousand at a time; of chromosomes one."""
    some, size = list[Letters](), 0
    for record in records:
        some.append(record)
        size += len(record.letters)
        if len(some) == _AT_ONCE or size > _LETTERS_AT_ONCE:
            yield _block(some)
            some, size = [], 0
    if some:
        yield _block(some)


def _block(records: list[Letters]) -> Block:
    names, letters = [record.name.encode() for record in records], [record.letters for record in records]
    return Block(b"".join(letters), np.array(list(map(len, letters))), b"".join(names), np.array(list(map(len, names))))


class _Written:
    """A new file, and the digest of what was written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.digest = file, hashlib.sha256()

    @classmethod
    @contextmanager
    def new(cls, folder: Path, name: str) -> Iterator[Self]:
        """One that is on disk in the end."""
        with (folder / name).open("xb") as file:
            yield cls(file)
            file.flush()
            os.fsync(file.fileno())

    def add(self, content: bytes) -> None:
        """Write more."""
        self._file.write(content)
        self.digest.update(content)


def _digest(of_files: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(of_files).encode()).hexdigest()


def _mapped(path: Path, kind: np.dtype[Any]) -> npt.NDArray[Any]:
    size = path.stat().st_size
    if size % kind.itemsize:
        raise DamagedSequences(f"{path.name} has been cut")
    return np.memmap(path, kind, "r") if size else np.empty(0, kind)
