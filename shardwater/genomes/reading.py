"""Genomes from files: FASTA as chromosomes have it is read by whole records; all other text line by line, as it is.

Lines of one length make a record's letters a rectangle: copied at once, a hundred million take some hundredths of a
second.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from typing import cast

import numpy as np
import numpy.typing as npt

from shardwater.errors import LimitExceeded
from shardwater.genomes.genome import MOST_LETTERS, Genome
from shardwater.sequences.alphabets import DNA, UNKNOWN
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import BLANKS, first_word
from shardwater.sequences.named import Letters
from shardwater.sequences.reads import LONGEST_HEADER, read_records

MOST_RECTANGLES = 20_000
"""Records that are copied one by one; files of more have short ones, whose lines are read as fast."""
MOST_BYTES = 2 * MOST_LETTERS
"""Of a file: with line ends, twice its letters and more has no genome that is taken."""
PIECE = 1 << 22
"""Letters that a thread looks at."""
_LF = 10
_IS_DNA = np.frombuffer(DNA.codes, np.uint8) != UNKNOWN

Bytes = npt.NDArray[np.uint8]


def read_genome(file: BufferedReader, name: str, unnamed: str) -> Genome:
    """The genome of a file of FASTA or FASTQ, plain or gzip, which errors call by this name.

    Raises FastaFormatError, which says record, line and column, and LimitExceeded.
    """
    if not file.peek(1).startswith(b">"):
        return Genome.of(_bounded(record.letters(DNA, unnamed) for record in read_records(file, name)))
    text = file.read(MOST_BYTES)
    if file.peek(1):
        raise LimitExceeded("letters", MOST_LETTERS, MOST_BYTES // 2 + 1)
    found = _regular(text, unnamed)
    if found is not None:
        return found
    again = cast(BufferedReader, BufferedReader(BytesIO(text)))
    return Genome.of(_bounded(record.letters(DNA, unnamed) for record in read_records(again, name)))


def _bounded(records: Iterable[Letters]) -> Iterator[Letters]:
    letters = 0
    for record in records:
        letters += len(record.letters)
        if letters > MOST_LETTERS:
            raise LimitExceeded("letters", MOST_LETTERS, letters)
        yield record


@dataclass(frozen=True, slots=True)
class _Rectangle:
    """The letters of a record in a text: from `begin` on, in lines of `width` letters; the last may be shorter."""

    begin: int
    width: int
    letters: int


def _regular(text: bytes, unnamed: str) -> Genome | None:
    """The genome of regular FASTA; None of any other text, and of what has a letter that is none of DNA."""
    names, rectangles = list[str](), list[_Rectangle]()
    for number, (begin, end) in enumerate(_records(text), 1):
        if number > MOST_RECTANGLES:
            return None
        line = text.find(b"\n", begin, end)
        header = text[begin + 1 : line if line >= 0 else end]
        rectangle = _rectangle(text, line + 1, end) if line >= 0 else _Rectangle(end, 1, 0)
        # A line may also end in CR.
        if rectangle is None or len(header) >= LONGEST_HEADER or header.strip(BLANKS) != header or b"\r" in header:
            return None
        names.append(decoded(first_word(header)) or f"{unnamed}_{number}")
        rectangles.append(rectangle)
    lengths = [rectangle.letters for rectangle in rectangles]
    offsets = np.cumsum([0, *lengths], dtype=np.int64)
    letters, content = np.empty(int(offsets[-1]), np.uint8), np.frombuffer(text, np.uint8)
    for rectangle, at in zip(rectangles, offsets.tolist(), strict=False):
        if not _copy(content, rectangle, letters[at : at + rectangle.letters]):
            return None
    return Genome(tuple(names), letters, offsets) if _is_dna(letters) else None


def _records(text: bytes) -> Iterator[tuple[int, int]]:
    """Where each record begins, and where it ends with its last line."""
    begin = 0
    while begin >= 0:
        following = text.find(b"\n>", begin)
        yield begin, following + 1 if following >= 0 else len(text)
        begin = following + 1 if following >= 0 else -1


def _rectangle(text: bytes, begin: int, end: int) -> _Rectangle | None:
    """The lines between two places as a rectangle, by the length of the first and of all; None where they are none."""
    size = end - begin - (end > begin and text[end - 1] == _LF)
    if size == 0:
        return None if end > begin else _Rectangle(begin, 1, 0)
    line = text.find(b"\n", begin, begin + size)
    width = line - begin if line >= 0 else size
    if width == 0:
        return None
    # The last line has at least one letter, and no more than the others.
    lines, rest = divmod(size - 1, width + 1)
    return _Rectangle(begin, width, lines * width + rest + 1) if rest < width else None


def _copy(content: Bytes, rectangle: _Rectangle, letters: Bytes) -> bool:
    """Copy a record's letters; False where its lines are not as long as they should be."""
    if rectangle.letters == 0:
        return True
    width, begin = rectangle.width, rectangle.begin
    lines = (rectangle.letters - 1) // width
    last = begin + lines * (width + 1)
    rows = content[begin:last].reshape(lines, width + 1)
    if (rows[:, width] != _LF).any():
        return False
    letters[: lines * width].reshape(lines, width)[...] = rows[:, :width]
    letters[lines * width :] = content[last : last + rectangle.letters - lines * width]
    return True


def _is_dna(letters: Bytes) -> bool:
    """Whether all letters are DNA's; a line end among them is none."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        pieces = (letters[first : first + PIECE] for first in range(0, len(letters), PIECE))
        return all(threads.map(lambda piece: bool(_IS_DNA.take(piece).all()), pieces))
