"""FASTA and FASTQ as most files are, read by whole arrays: a million reads in a second, where lines take ten.

Regular are lines that end in LF alone, without blanks but in headers, headers of ASCII that begin with a name, reads
that are not too long, and nothing wrong. Other text is for reads.py, which reads it all and says what is wrong.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from io import BufferedReader

import numpy as np
import numpy.typing as npt

from shardwater.sequences.alphabets import Alphabet
from shardwater.sequences.fasta import INNER_BLANKS
from shardwater.sequences.reads import FASTQ_LINES, LONGEST_HEADER, QUALITIES, is_same_read

PIECE = 1 << 18
"""Bytes that are read at a time, as many as a cache holds; of a long record as many again as there are of it."""
LONGEST_RECORD = 1 << 25
"""Bytes of a record that is read whole; a chromosome is read piece by piece."""
_BLANKS = INNER_BLANKS
_LF, _FIRST_OF_FASTA = 10, ord(">")

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]


class Irregular(Exception):
    """Text that is to be read line by line."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some records: their letters and their names, each in one text, and how long each of them is.

    A block without a record has letters of the next one that a block has.
    """

    letters: bytes
    lengths: Places
    names: bytes
    name_lengths: Places


def regular_blocks(file: BufferedReader, alphabet: Alphabet) -> Iterator[Block]:
    """The records of a file that is at its beginning; raises Irregular, where no block that was given counts."""
    letters, held, is_fasta = alphabet.known, b"", False
    known = bytes(byte not in letters for byte in range(256))
    first = file.peek(1)[:1]
    if first not in (b">", b"@"):
        raise Irregular
    is_fasta = first == b">"
    while piece := file.read(max(PIECE, len(held))):
        text = held + piece
        end = _end_of_fasta(text) if is_fasta else _end_of_fastq(text)
        held = text[end:]
        if end:
            yield _block(text[:end], known, is_fasta)
        if len(held) > LONGEST_RECORD:
            if not is_fasta:
                raise Irregular
            held = yield from _long_record(held, file, known)
    if held:
        yield _block(held if held.endswith(b"\n") else held + b"\n", known, is_fasta)


def _long_record(text: bytes, file: BufferedReader, known: bytes) -> Generator[Block, None, bytes]:
    """The record that a text begins with, and that goes on in the file, in blocks; returns what follows it."""
    header, _, rest = text.partition(b"\n")
    [name], sizes = _names([header[1:]]), np.zeros(0, np.int64)
    length, end = 0, rest.find(b"\n>")
    while end < 0 and (piece := file.read(LONGEST_RECORD)):
        # A line may end here and the next record begin.
        letters = _letters(rest[:-1], known)
        length += len(letters)
        yield Block(letters, sizes, b"", sizes)
        rest = rest[-1:] + piece
        end = rest.find(b"\n>")
    letters = _letters(rest[:end] if end >= 0 else rest, known)
    yield Block(letters, np.array([length + len(letters)]), name, np.array([len(name)]))
    return rest[end + 1 :] if end >= 0 else b""


def _letters(lines: bytes, known: bytes) -> bytes:
    letters = lines.translate(None, b"\n")
    if letters.translate(known).find(1) >= 0:
        raise Irregular
    return letters


def _end_of_fasta(text: bytes) -> int:
    """Where the last record begins, which may go on."""
    return text.rfind(b"\n>") + 1


def _end_of_fastq(text: bytes) -> int:
    """Where the last line ends that is a record's fourth; 0 where there is none."""
    lines = text.count(b"\n")
    end = len(text)
    for _ in range(lines % FASTQ_LINES + 1 if lines >= FASTQ_LINES else 0):
        end = text.rfind(b"\n", 0, end)
    return end + 1 if lines >= FASTQ_LINES else 0


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """Where the lines of some text begin and end, and which of them are headers and letters."""

    begins: Places
    ends: Places
    headers: Places
    letters: Places


def _block(text: bytes, known: bytes, is_fasta: bool) -> Block:
    lines = _fasta(text) if is_fasta else _fastq(text)
    names = _names(slices(text, lines.begins[lines.headers] + 1, lines.ends[lines.headers]))
    letters = b"".join(slices(text, lines.begins[lines.letters], lines.ends[lines.letters]))
    if letters.translate(known).find(1) >= 0:
        raise Irregular
    widths = lines.ends[lines.letters] - lines.begins[lines.letters]
    records = np.searchsorted(lines.headers, lines.letters) - 1
    lengths = np.bincount(records, widths, len(names)).astype(np.int64)
    return Block(letters, lengths, b"".join(names), np.fromiter(map(len, names), np.int64, len(names)))


def _names(headers: list[bytes]) -> list[bytes]:
    """The names that headers begin with; raises Irregular where one begins with none."""
    joined = b"".join(headers)
    # A line may also end in CR.
    if not joined.isascii() or b"\r" in joined or max(map(len, headers)) >= LONGEST_HEADER or not all(headers):
        raise Irregular
    if joined.translate(None, _BLANKS) == joined:
        return headers
    if any(header[0] in _BLANKS for header in headers):
        raise Irregular
    return [header.split(None, 1)[0] for header in headers]


def _lines_of(content: Bytes) -> tuple[Places, Places]:
    ends = np.flatnonzero(content == _LF)
    return np.concatenate(([0], ends[:-1] + 1)), ends


def fasta_lines(text: bytes) -> tuple[Places, Places, npt.NDArray[np.bool_]]:
    """Where the lines of whole records begin and end, and which of them are headers."""
    content = np.frombuffer(text, np.uint8)
    begins, ends = _lines_of(content)
    return begins, ends, content[begins] == _FIRST_OF_FASTA


def slices(text: bytes, begins: Places, ends: Places) -> list[bytes]:
    """What lies between these places."""
    return [text[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]


def _fasta(text: bytes) -> _Lines:
    begins, ends, is_header = fasta_lines(text)
    return _Lines(begins, ends, np.flatnonzero(is_header), np.flatnonzero(~is_header))


def _fastq(text: bytes) -> _Lines:
    content = np.frombuffer(text, np.uint8)
    begins, ends = _lines_of(content)
    numbers = np.arange(0, len(ends), FASTQ_LINES)
    widths = (ends - begins).reshape(-1, FASTQ_LINES) if len(ends) % FASTQ_LINES == 0 else None
    if widths is None or (widths[:, 1] != widths[:, 3]).any():
        raise Irregular
    if (content[begins[numbers]] != ord("@")).any() or (content[begins[numbers + 2]] != ord("+")).any():
        raise Irregular
    if b"".join(slices(text, begins[numbers + 3], ends[numbers + 3])).translate(None, QUALITIES):
        raise Irregular
    if (widths[:, 2] > 1).any():
        headers, pluses = (slices(text, begins[numbers + line], ends[numbers + line]) for line in (0, 2))
        # A line may also end in CR.
        if b"\r" in b"".join(pluses) or not all(map(is_same_read, headers, pluses)):
            raise Irregular
    return _Lines(begins, ends, numbers, numbers + 1)
