"""FASTA and FASTQ as a stream: record after record, in memory for one of them and a piece of the file.

The first bytes say whether a file is gzip, and the first letter whether it is FASTA (`>`, which blanks and comments may
precede, letters on any number of lines) or FASTQ (`@`, four lines a record). An error names file, record, line and
column.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from io import BufferedReader
from itertools import chain, islice
from typing import BinaryIO

from shardwater.errors import AlignError, FastaFormatError
from shardwater.plural import plural
from shardwater.sequences.alphabets import DNA, PROTEIN, UNKNOWN, Alphabet
from shardwater.sequences.blocks import GZIP_MAGIC, blocks_of, inflate, unify
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import (
    BLANKS,
    LETTERS,
    QUERY_RULES,
    FaultFinder,
    count_headers,
    first_word,
    without_comments,
)
from shardwater.sequences.foreign import NUL, is_pir, recognise
from shardwater.sequences.named import Letters

PIECE = 1 << 18
"""Bytes of a file that are read at a time."""
FASTQ_LINES = 4
COMMENT_IN_FASTQ = "a comment before this record: remove it, FASTQ has no comments"
QUALITIES = bytes(range(33, 127))
NO_QUALITY = "this character is not a FASTQ quality: qualities are '!' to '~'"
OTHER_READ = "the '+' line and the '@' line have different read names"
LIKE_DNA = 90
"""Per cent of letters: from here on they are taken for DNA, if DNA has the others too."""
COMMON_IN_DNA = b"ACGTUNacgtun"
TELLING = 100
"""Records of each of two lists whose letters tell the alphabet."""
LONGEST_HEADER = QUERY_RULES.longest_header
"""Bytes of a header with its '>' or '@'."""
LONG_HEADER = f"a header longer than {LONGEST_HEADER:,} bytes"
NO_HEADER = "text before the first header: a record begins with '>' (FASTA) or '@' (FASTQ)"


@dataclass(frozen=True, slots=True)
class TextRecord:
    """A record as its file has it: letters with line ends and blanks, the first of them on `line`."""

    file: str
    number: int
    line: int
    header: bytes
    text: bytes

    def letters(self, alphabet: Alphabet, unnamed: str) -> Letters:
        """Its letters and the first word of its header, `unnamed` and its number if there is none.

        Raises FastaFormatError where the alphabet does not have a letter.
        """
        if strangers := self.text.translate(None, accepted(alphabet)):
            self._fail(alphabet, strangers[0])
        name = decoded(first_word(self.header)) or f"{unnamed}_{self.number}"
        return Letters(name, self.text.translate(None, BLANKS), self.number)

    def _fail(self, alphabet: Alphabet, letter: int) -> None:
        at = self.text.index(letter)
        raise FastaFormatError(
            describe_stranger(alphabet, letter),
            file=self.file,
            record=self.number,
            line=self.line + self.text.count(b"\n", 0, at),
            column=at - self.text.rfind(b"\n", 0, at),
        )


def describe_stranger(alphabet: Alphabet, letter: int) -> str:
    """What is wrong with a byte that is no letter of an alphabet."""
    if letter == 0:
        return NUL
    shown = repr(chr(letter)) if 32 < letter < 127 else f"byte {letter}"
    detail = f"{shown} is no letter of {alphabet.name}"
    if chr(letter) in "-.":
        return f"{detail}: leave out an alignment's gaps"
    return f"{detail}: this looks like a protein" if alphabet is DNA and PROTEIN.codes[letter] != UNKNOWN else detail


@cache
def accepted(alphabet: Alphabet) -> bytes:
    """The bytes that lines of letters may hold: an alphabet's, and blanks."""
    return alphabet.known + BLANKS


class MixedLetters(AlignError):
    """Two lists of which one looks like DNA, and the other one like proteins."""


def guess_alphabet(records: Iterable[TextRecord]) -> Alphabet:
    """DNA where it has all letters of these records, and of them 90 % are A, C, G, T, U or N; else that of proteins."""
    return _guessed_of(b"".join(record.text for record in records))


def guess_shared_alphabet(queries: Sequence[TextRecord], subjects: Sequence[TextRecord]) -> Alphabet:
    """The same of the TELLING first records of two lists; raises MixedLetters where one looks like DNA and the other
    one like proteins.

    A letter that neither alphabet has is another matter: whoever reads it names it.
    """
    texts = [b"".join(record.text for record in records).translate(None, BLANKS) for records in (queries, subjects)]
    of_proteins = [bool(text) and not _is_mostly_bases(text) for text in texts]
    of_dna = [_guessed_of(text) is DNA for text in texts]
    if any(of_proteins) and any(of_dna) and not any(text.translate(None, accepted(PROTEIN)) for text in texts):
        like = ["DNA" if dna else "proteins" for dna in of_dna]
        raise MixedLetters(f"the queries look like {like[0]} and the subjects like {like[1]}: say which alphabet it is")
    return _guessed_of(b"".join(texts))


def _guessed_of(text: bytes) -> Alphabet:
    return DNA if _is_mostly_bases(text) and not text.translate(None, accepted(DNA)) else PROTEIN


def _is_mostly_bases(text: bytes) -> bool:
    letters = text.translate(None, BLANKS)
    common = len(letters) - len(letters.translate(None, COMMON_IN_DNA))
    return len(letters) > 0 and 100 * common >= LIKE_DNA * len(letters)


def read_records(file: BufferedReader, name: str) -> Iterator[TextRecord]:
    """The records of FASTA or FASTQ, plain or gzip; errors call the file by this name. Raises FastaFormatError."""
    packed = file.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC)
    texts = unify(inflate(file, PIECE, name) if packed else iter(lambda: file.read(PIECE), b""))
    blank, beginning = _beginning(texts)
    if is_fastq := beginning.startswith(b"@"):
        rest = texts
    else:
        # Comments are of FASTA: a line of qualities may begin like one.
        rest = without_comments(chain([blank + beginning], texts))
        blank, beginning = _beginning(rest)
    lines = enumerate(_lines(chain([beginning], rest)), start=1 + blank.count(b"\n"))
    match beginning[:1]:
        case b"@" if is_fastq:
            yield from _fastq(lines, name)
        case b">":
            yield from _fasta(lines, name)
        case b"":
            raise FastaFormatError("no sequence found", file=name)
        case _:
            column = len(blank) - blank.rfind(b"\n")
            detail = describe_beginning(beginning)
            raise FastaFormatError(detail, file=name, line=next(lines)[0], column=column)


def describe_beginning(text: bytes) -> str:
    """What is wrong with a text that begins neither like FASTA nor, where comments were before it, like FASTQ."""
    return COMMENT_IN_FASTQ if text.startswith(b"@") else recognise(text) or NO_HEADER


def read_queries(file: BinaryIO, name: str, between: bytes = b"") -> Iterator[TextRecord]:
    """What read_fasta reads, record by record, of a file that can be read again; a bare sequence has no header.

    between: what may stand between letters. Raises FastaFormatError as read_fasta does.
    """

    def texts() -> Iterator[bytes]:
        return (block.text for block in blocks_of(file, name, PIECE, LONGEST_HEADER))

    allowed, apart = LETTERS + BLANKS + between, BLANKS + between
    for record in _queries(texts(), name, allowed):
        if record is None or not _is_fit(record, allowed, apart):
            bare, as_blanks = not any(map(count_headers, texts())), bytes.maketrans(between, b" " * len(between))
            FaultFinder(QUERY_RULES, name, bare=bare).report(text.translate(as_blanks) for text in texts())
        yield record


def _queries(texts: Iterator[bytes], name: str, allowed: bytes) -> Iterator[TextRecord | None]:
    """Records; None where it is clear that something is wrong."""
    blank, beginning = _beginning(texts)
    lines = enumerate(_lines(chain([beginning], texts)), start=1 + blank.count(b"\n"))
    if beginning.startswith(b">"):
        yield from [None] if is_pir(beginning) else _fasta(lines, name)
        return
    letters = list[bytes]()
    for _, line in lines:
        if line.translate(None, allowed):
            yield None
        letters.append(line)
    yield TextRecord(name, 1, 1, b"", b"\n".join(letters))


def _is_fit(record: TextRecord, allowed: bytes, apart: bytes) -> bool:
    strangers, letters = (record.text.translate(None, left_out) for left_out in (allowed, apart))
    return bool(letters) and not strangers and b"\0" not in record.header


def _beginning(texts: Iterator[bytes]) -> tuple[bytes, bytes]:
    """The first piece that is not blank: what is blank before it, and the rest."""
    text = b""
    for piece in texts:
        text += piece
        if rest := text.lstrip(BLANKS):
            return text[: -len(rest)], rest
    return text, b""


def _lines(texts: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends."""
    open_line: list[bytes] = []
    for text in texts:
        first, *others = text.split(b"\n")
        open_line.append(first)
        for line in others:
            yield b"".join(open_line)
            open_line = [line]
    if last := b"".join(open_line):
        yield last


def _fasta(lines: Iterator[tuple[int, bytes]], file: str) -> Iterator[TextRecord]:
    record, begin, header, body = 0, 0, b"", list[bytes]()
    for number, line in lines:
        unindented = line.lstrip(BLANKS)
        if unindented.startswith(b">"):
            if record:
                yield TextRecord(file, record, begin, header[1:], b"\n".join(body))
            record, begin, header, body = record + 1, number + 1, unindented, []
            if len(header) > LONGEST_HEADER:
                raise FastaFormatError(LONG_HEADER, file=file, record=record, line=number, column=1)
        else:
            body.append(line)
    yield TextRecord(file, record, begin, header[1:], b"\n".join(body))


def _fastq(lines: Iterator[tuple[int, bytes]], file: str) -> Iterator[TextRecord]:
    read = ((number, line) for number, line in lines if line.strip(BLANKS))
    for record, (number, header) in enumerate(read, start=1):
        # From the lines themselves: those of an empty read are blank.
        others = [line for _, line in islice(lines, FASTQ_LINES - 1)]
        fault = _fastq_fault(header, others)
        if fault is not None:
            raise FastaFormatError(
                fault.detail, file=file, record=record, line=number + fault.lines, column=fault.column
            )
        yield TextRecord(file, record, number + 1, header[1:], others[0])


def is_same_read(header: bytes, plus: bytes) -> bool:
    """Whether the third line of a FASTQ record is `+` alone, or names the read of the header, which begins with `@`."""
    return plus == b"+" or (plus[:1] == b"+" and first_word(plus[1:]) in (b"", first_word(header[1:])))


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with a read: how many lines below its header, and where."""

    detail: str
    lines: int
    column: int


def _fastq_fault(header: bytes, lines: list[bytes]) -> _Fault | None:
    """What is wrong with a read of a header and the lines after it; blanks may surround these."""
    others = [line.strip(BLANKS) for line in lines]
    if not header.startswith(b"@"):
        return _Fault("a FASTQ record begins with '@', and has its letters on one line", 0, 1)
    if len(header) > LONGEST_HEADER:
        return _Fault(LONG_HEADER, 0, 1)
    if len(others) > 1 and not others[1].startswith(b"+"):
        return _Fault("a FASTQ record has '+' on its third line, and its letters on one line", 2, 1)
    if len(others) < FASTQ_LINES - 1:
        return _Fault("the file ends within a FASTQ record", len(others), 1)
    if not is_same_read(header, others[1]):
        return _Fault(OTHER_READ, 2, 1)
    return _quality_fault(others[0], lines[2])


def _quality_fault(letters: bytes, line: bytes) -> _Fault | None:
    """What is wrong with the line of qualities, which blanks may surround."""
    quality, letters = line.strip(BLANKS), letters.translate(None, BLANKS)
    if strangers := quality.translate(None, QUALITIES):
        indent = len(line) - len(line.lstrip(BLANKS))
        return _Fault(NO_QUALITY, 3, indent + quality.index(strangers[:1]) + 1)
    if len(letters) != len(quality):
        sizes = f"{plural(len(quality), 'quality', 'qualities')} for {plural(len(letters), 'letter')}"
        return _Fault(f"a FASTQ record with {sizes}", 3, min(len(letters), len(quality)) + 1)
    return None
