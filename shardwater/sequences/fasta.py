"""FASTA text: queries read from memory, records written, and the exact place of whatever is wrong.

Readers take text apart at full speed and only ask whether all is well; when it is not, FaultFinder walks the
same text line by line and raises the first fault with its record, line and column.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn

from shardwater.errors import FastaFormatError, ScoringError
from shardwater.plural import plural
from shardwater.sequences.alphabets import DNA, PROTEIN, UNKNOWN, Alphabet
from shardwater.sequences.encoding import decoded
from shardwater.sequences.foreign import (
    OF_DNA,
    OF_PROTEINS,
    PIR,
    STOCKHOLM,
    WORDS,
    describe_letter,
    is_pir,
    is_words,
    recognise,
)

if TYPE_CHECKING:
    from shardwater.scoring.pssm import Pssm

BOM = b"\xef\xbb\xbf"
INNER_BLANKS = b" \t\v\f"
BLANKS = INNER_BLANKS + b"\n"
LONGEST_SEQUENCE = 2**31 - 1
SLICE = 1 << 16
"""Bytes that a search for a fault takes at a time."""
COMMENT_SIGNS = b";#!"
_COMMENT = re.compile(rb"\n[ \t\v\f]*[;#!][^\n]*")
_INDENTED = re.compile(rb"\n[ \t\v\f]+>")
_WORD = re.compile(r"[^ \t\n\v\f\r]+")  # bytes.split's idea of a word; str.split would also break at U+00A0


@dataclass(frozen=True, slots=True)
class Record:
    """One sequence: its header without the '>', and its letters as they were written.

    Of a part of one, offset counts the residues before it, and whole all of them. pssm: what the letters of a query
    score at each place, where it is not what a matrix says.
    """

    header: str
    residues: bytes
    offset: int = 0
    whole: int | None = None
    pssm: "Pssm | None" = None

    def __post_init__(self) -> None:
        if self.pssm is not None and len(self.pssm) != len(self.residues):
            sizes = plural(len(self.pssm), "position"), plural(len(self.residues), "residue")
            raise ScoringError(f"a PSSM of {sizes[0]} for a query of {sizes[1]}")

    @property
    def length(self) -> int:
        """Residues of the whole sequence."""
        return len(self.residues) if self.whole is None else self.whole

    def part(self, first: int, last: int) -> "Record":
        """The residues from `first` to `last`, which count from 1 and are both in it."""
        pssm = None if self.pssm is None else self.pssm.part(first, last)
        return Record(self.header, self.residues[first - 1 : last], first - 1, len(self.residues), pssm)

    def without_stop(self) -> "Record":
        """The same without `*` at its end: a translation ends with it, and it is no residue."""
        letters = self.residues.rstrip(b"*")
        return replace(self, residues=letters) if letters and self.pssm is None else self

    @property
    def id(self) -> str:
        """The first word of the header, '' if there is none."""
        word = _WORD.search(self.header)
        return word.group() if word else ""

    @property
    def title(self) -> str:
        """The header after its first word."""
        word = _WORD.search(self.header)
        return self.header[word.end() :].strip() if word else ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a text may hold: queries and databases differ."""

    needs_accession: bool
    longest_header: int
    ignored: bytes = b""
    """What is left out of sequences."""
    advice: str = ""
    """What else can be done about a letter that is none."""
    alphabet: Alphabet = PROTEIN


LETTERS = PROTEIN.known
"""Of queries and databases of proteins; those that the matrices do not have score as X."""
NO_LETTERS = bytes(set(range(33, 127)) - set(LETTERS + b">;"))
"""Digits, gaps and the like: they may be left out of a database's sequences, never kept as residues."""
QUERY_RULES = Rules(needs_accession=False, longest_header=65_536)
"""A query's header goes out with each of its hits: it must not be as long as a request may be."""


def read_fasta(text: bytes, *, file: str | None = None) -> list[Record]:
    """The records of FASTA text, or one record named query_1 where there is no header at all."""
    text = CommentFilter().take(unify_line_ends(text.removeprefix(BOM)))
    # Hardly any text has blanks before a header: only what cannot be read as it is is looked through for them.
    records = _records(b"\n" + text) or _records(unindent_headers(b"\n" + text))
    if records is None or is_pir(text) or is_words(text):
        FaultFinder(QUERY_RULES, file, bare=count_headers(text) == 0).report([text])
    return records


def count_headers(text: str | bytes) -> int:
    """How many records begin in FASTA text: told before any is read, since millions take gigabytes."""
    if isinstance(text, bytes):
        text = text.translate(None, INNER_BLANKS)
        return text.count(b"\n>") + text.count(b"\r>") + text.startswith((b">", BOM + b">"))
    for blank in INNER_BLANKS.decode():
        text = text.replace(blank, "")
    return text.count("\n>") + text.count("\r>") + text.startswith((">", "\ufeff>"))


def unindent_headers(lines: bytes) -> bytes:
    """Lines, each after its LF, without the blanks before a header's '>'."""
    return _INDENTED.sub(b"\n>", lines)


def write_fasta(record: Record, width: int = 60) -> str:
    """The record as FASTA text, `width` letters a line."""
    letters = record.residues.decode("ascii")
    lines = [letters[at : at + width] for at in range(0, len(letters), width)]
    return "\n".join([f">{record.header}", *lines, ""])


def unify_line_ends(text: bytes) -> bytes:
    """The text with CRLF and lone CR line ends turned into LF."""
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in text else text


class CommentFilter:
    """Empties the comment lines of FASTA that comes in pieces, cut anywhere; line ends must be LF.

    As in BLAST+, a line is a comment if its first letter is `;`, `#` or `!`. Every other line keeps its number. The
    first line of a Stockholm alignment stays: the text is recognised by it.
    """

    def __init__(self) -> None:
        # Too little of the text's beginning to tell whether it is that of a Stockholm alignment; None once it is told.
        self._held: bytes | None = b""
        self._in_comment = False
        self._at_start = True

    def take(self, text: bytes) -> bytes:
        """The next piece without its comments; what is held back at the end of the text is a comment."""
        if self._held is not None:
            text = self._held + text
            if len(text) < len(STOCKHOLM) and STOCKHOLM.startswith(text):
                self._held = text
                return b""
            self._held, self._at_start = None, not text.startswith(STOCKHOLM)
        if self._in_comment:
            end = text.find(b"\n")
            text = text[end:] if end >= 0 else b""
        if not text:
            return text
        lead = b"\n" if self._at_start else b""
        self._look_at_open_line(text)
        if not any(sign in text for sign in COMMENT_SIGNS):
            return text
        return _COMMENT.sub(b"\n", lead + text).removeprefix(lead)

    def _look_at_open_line(self, text: bytes) -> None:
        """Note whether the line that the text ends in has begun, and whether it is a comment."""
        newline = text.rfind(b"\n")
        begins = newline >= 0 or self._at_start
        line = text[newline + 1 :].lstrip(INNER_BLANKS)
        self._in_comment = begins and line[:1] != b"" and line[:1] in COMMENT_SIGNS
        self._at_start = begins and not line


def without_comments(texts: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces of FASTA with their comment lines empty; no piece is empty."""
    comments = CommentFilter()
    return (rest for text in texts if (rest := comments.take(text)))


def first_word(header: bytes) -> bytes:
    """A header's accession: its first word, whole; b'' if there is none."""
    return next(iter(header.split(None, 1)), b"")


def _records(lines: bytes) -> list[Record] | None:
    """The records of lines, each after its LF; None where anything is wrong with them."""
    before, *chunks = lines.split(b"\n>")
    if not chunks:
        records = [Record("query_1", before.translate(None, BLANKS))]
    else:
        records = [_record(chunk, ordinal) for ordinal, chunk in enumerate(chunks, start=1)]
    if (chunks and before.strip(BLANKS)) or any(map(_is_long_header, chunks)) or not _is_regular(records):
        return None
    return records


def _record(chunk: bytes, ordinal: int) -> Record:
    header, _, body = chunk.partition(b"\n")
    return Record(decoded(header).strip() or f"query_{ordinal}", body.translate(None, BLANKS))


def _is_regular(records: list[Record]) -> bool:
    strangers = any(record.residues.translate(None, LETTERS) for record in records)
    return not strangers and all(record.residues and "\0" not in record.header for record in records)


def _is_long_header(chunk: bytes) -> bool:
    longest = QUERY_RULES.longest_header
    return len(chunk) >= longest and b"\n" not in chunk[:longest]


class FaultFinder:
    """Walks text that is known to be faulty and raises its first fault.

    Texts may be cut anywhere, so that a file is walked in blocks; line ends must be LF.
    """

    def __init__(self, rules: Rules, file: str | None = None, *, bare: bool = False) -> None:
        self._rules, self._file = rules, file
        self._skipped = BLANKS + rules.ignored
        self._allowed = rules.alphabet.known + self._skipped
        self._of_dna = rules.alphabet is DNA
        self._record = 1 if bare else 0
        self._line, self._column = 1, 0
        self._header_line: int | None = None
        self._in_header = False
        self._residues = 0
        self._foreign: str | None = None

    def report(self, texts: Iterable[bytes]) -> NoReturn:
        """Raise the first fault of the texts, which follow each other."""
        for number, text in enumerate(texts):
            if number == 0:
                self._foreign = recognise(text, "records in FASTA" if self._of_dna else "proteins in FASTA")
            begin = 0
            while begin < len(text):
                # A header is never cut.
                end = text.find(b"\n", begin + SLICE) + 1 or len(text)
                piece = text[begin:end]
                if not self._passes(piece):
                    self._walk(piece)
                begin = end
        self._close_record()
        raise FastaFormatError("no sequence found", file=self._file)

    def _walk(self, text: bytes) -> None:
        for number, part in enumerate(text.split(b"\n")):
            if number:
                self._line, self._column, self._in_header = self._line + 1, 0, False
            self._take(part)
            self._column += len(part)

    def _passes(self, text: bytes) -> bool:
        """Whether a text is nothing but lines of residues without a fault, and if so, count them all at once.

        Millions of short lines would take seconds one by one.
        """
        if self._foreign == WORDS or self._in_header or text.translate(None, self._allowed + b"\n"):
            return False
        residues = len(text.translate(None, self._skipped))
        if (residues and self._record == 0) or self._residues + residues > LONGEST_SEQUENCE:
            return False
        self._residues += residues
        self._line += text.count(b"\n")
        self._column = len(text) - text.rfind(b"\n") - 1 if b"\n" in text else self._column + len(text)
        return True

    def _take(self, part: bytes) -> None:
        """A line, or as much of it as the text holds."""
        header = part.lstrip(INNER_BLANKS) if self._column == 0 else b""
        if header[:1] == b">":
            self._take_header(header, len(part) - len(header))
        elif self._in_header and part:
            self._fail_long_header()
        else:
            self._take_residues(part)

    def _take_header(self, header: bytes, indent: int) -> None:
        self._close_record()
        self._record, self._header_line = self._record + 1, self._line
        self._in_header, self._residues = True, 0
        if len(header) > self._rules.longest_header:
            self._fail_long_header()
        if b"\0" in header:
            self._fail("NUL byte in a header", indent + header.index(b"\0"))
        if self._rules.needs_accession and not first_word(header[1:]):
            self._fail("a header with no accession", indent)

    def _take_residues(self, part: bytes) -> None:
        residues = part.translate(None, self._skipped)
        if not residues:
            return
        at = part.index(residues[:1])
        if self._record == 0:
            self._fail("text before the first '>'", at)
        if self._foreign in (PIR, WORDS):
            # Titles and names may be nothing but letters.
            self._fail(self._foreign, at)
        if strangers := part.translate(None, self._allowed):
            at = part.index(strangers[:1])
            self._fail(self._describe(part[at:]), at)
        self._residues += len(residues)
        if self._residues > LONGEST_SEQUENCE:
            self._fail(f"a sequence of more than {LONGEST_SEQUENCE:,} residues", at)

    def _describe(self, text: bytes) -> str:
        """What is wrong with the text's first letter."""
        if text[:1] == b">":
            return "'>' inside a sequence line"
        described = describe_letter(text, OF_DNA if self._of_dna else OF_PROTEINS)
        if self._of_dna and PROTEIN.codes[text[0]] != UNKNOWN:
            return f"{described}: this looks like a protein"
        return described + (self._rules.advice if text[:1] in NO_LETTERS else "")

    def _close_record(self) -> None:
        if self._header_line is not None and self._residues == 0:
            detail = self._foreign or "a record with no residues"
            raise FastaFormatError(detail, file=self._file, record=self._record, line=self._header_line)

    def _fail_long_header(self) -> NoReturn:
        self._fail(f"a header longer than {self._rules.longest_header:,} bytes", -self._column)

    def _fail(self, detail: str, at: int) -> NoReturn:
        column, detail = self._column + at + 1, self._foreign or detail
        raise FastaFormatError(detail, file=self._file, record=self._record, line=self._line, column=column)
