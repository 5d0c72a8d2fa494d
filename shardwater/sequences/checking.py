"""FASTA and FASTQ checked as they come, in pieces that are cut anywhere: no record is held, however long it is.

What is accepted is what reads.py reads; whatever is wrong has its record, line and column. Letters are those of an
alphabet, or those of proteins until the end shows whether all is DNA.
"""

from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from shardwater.errors import FastaFormatError, LimitExceeded
from shardwater.plural import plural
from shardwater.sequences.alphabets import ALPHABETS, DNA, PROTEIN, Alphabet
from shardwater.sequences.fasta import BLANKS, BOM, CommentFilter, unify_line_ends
from shardwater.sequences.reads import (
    COMMON_IN_DNA,
    FASTQ_LINES,
    LIKE_DNA,
    LONG_HEADER,
    LONGEST_HEADER,
    NO_QUALITY,
    OTHER_READ,
    QUALITIES,
    accepted,
    describe_beginning,
    describe_stranger,
    is_same_read,
)
from shardwater.sequences.regular import fasta_lines, slices

_HEADER, _LETTERS, _PLUS, _QUALITY = range(FASTQ_LINES)
_COMMON, _RARE, _OTHER, _BLANK, _STRANGER = range(5)
"""Letters that are common in DNA, others of DNA, others; what is none."""


@dataclass(frozen=True, slots=True)
class SequenceBounds:
    """How many records there may be, and how many letters in one of them."""

    max_upload_records: int
    max_upload_letters: int


@dataclass(frozen=True, slots=True)
class Checked:
    """What a text was found to hold: the name of its alphabet, its records and all their letters."""

    kind: str
    records: int
    letters: int


class SequenceCheck:
    """Takes the pieces of one text, the first of them of some thousand bytes if there are so many.

    Errors call the text by a name. Without an alphabet it is DNA where DNA has all letters and 90 % of them are A, C,
    G, T, U or N, else protein.
    """

    def __init__(self, name: str, alphabet: Alphabet | None, bounds: SequenceBounds) -> None:
        self._tally = _LetterTally(name, alphabet, bounds)
        self._format: _Fasta | _Fastq | None = None
        self._held, self._begun = b"", False
        self._comments = CommentFilter()
        # None until there is a letter.
        self._is_fastq: bool | None = None

    def take(self, piece: bytes) -> None:
        """Check the next piece; raises FastaFormatError or LimitExceeded."""
        if not self._begun:
            self._begun, piece = True, piece.removeprefix(BOM)
        # A CR waits for what follows it.
        piece = self._held + piece
        self._held = b"\r" if piece.endswith(b"\r") else b""
        self._take_lines(unify_line_ends(piece.removesuffix(b"\r")))

    def close(self) -> Checked:
        """What it all was; raises FastaFormatError for what is not whole."""
        if self._held:
            self._take_lines(b"\n")
        if self._format is None:
            raise FastaFormatError("no sequence found", file=self._tally.name)
        self._format.close()
        return self._tally.checked()

    def _take_lines(self, text: bytes) -> None:
        if self._is_fastq is None and (first := text.lstrip(BLANKS)[:1]):
            self._is_fastq = first == b"@"
        if not self._is_fastq:
            # In FASTQ a line of qualities may begin like a comment.
            text = self._comments.take(text)
        if self._format is None:
            rest = text.lstrip(BLANKS)
            self._tally.pass_lines(text[: len(text) - len(rest)])
            if not rest:
                return
            self._format, text = self._recognised(rest), rest
        self._format.take(text)

    def _recognised(self, text: bytes) -> "_Fasta | _Fastq":
        if text[:1] != b">" and not self._is_fastq:
            self._tally.fail(describe_beginning(text), self._tally.column + 1)
        self._tally.column = 0
        return _Fastq(self._tally) if self._is_fastq else _Fasta(self._tally)


class _LetterTally:
    """Where in the text we are, and what letters there were."""

    def __init__(self, name: str, alphabet: Alphabet | None, bounds: SequenceBounds) -> None:
        self.name, self._bounds = name, bounds
        self._said, self._alphabet = alphabet is not None, alphabet or PROTEIN
        self.accepted, self._kinds = accepted(self._alphabet), _kinds_of(self._alphabet)
        self.line, self.column, self.record = 1, 0, 0
        # Letters of all records, and of the one that was begun.
        self._letters, self.of_record, self._common = 0, 0, 0
        self._all_dna = True

    def begin_record(self, count: int = 1) -> None:
        """Another record, or several that are known to have no fault."""
        most = self._bounds.max_upload_records
        self.record, self.of_record = min(self.record + count, most + 1), 0
        if self.record > most:
            self._pass_bound("max_upload_records")

    def take(self, letters: bytes) -> None:
        """Letters of the record that was begun, blanks among them; go past them."""
        strangers = letters.translate(None, self.accepted)
        known = letters[: letters.index(strangers[:1])] if strangers else letters
        self.of_record += self.count(self.kinds(known))
        if self.of_record > self._bounds.max_upload_letters:
            self._pass_bound("max_upload_letters")
        self.pass_lines(known)
        if strangers:
            self.fail(describe_stranger(self._alphabet, strangers[0]), self.column + 1)

    def kinds(self, letters: bytes) -> bytes:
        """What each byte is, a number of _COMMON to _STRANGER."""
        return letters.translate(self._kinds)

    def count(self, kinds: bytes) -> int:
        """Count letters, of which none is a stranger; how many they are."""
        size = len(kinds) - kinds.count(_BLANK)
        self._letters += size
        # Once there are others it is told: counting what is frequent takes long.
        if not self._said and self._all_dna:
            self._all_dna = _OTHER not in kinds
            self._common += size - kinds.count(_RARE)
        return size

    def fits(self, longest: int) -> bool:
        """Whether a record of so many letters is within the bounds."""
        return longest <= self._bounds.max_upload_letters

    def pass_lines(self, text: bytes) -> None:
        """Go past text of any number of lines."""
        newlines = text.count(b"\n")
        self.line += newlines
        self.column = len(text) - text.rfind(b"\n") - 1 if newlines else self.column + len(text)

    def fail(self, detail: str, column: int, line: int | None = None) -> NoReturn:
        """Raise FastaFormatError, in this line unless another one is named."""
        raise FastaFormatError(
            detail, file=self.name, record=self.record or None, line=line or self.line, column=column
        )

    def _pass_bound(self, name: str) -> NoReturn:
        # One too many is what is known: how many more there are depends on how pieces are cut.
        most: int = getattr(self._bounds, name)
        raise LimitExceeded(name, most, most + 1, self.record)

    def checked(self) -> Checked:
        """What it all was."""
        like_dna = self._letters > 0 and self._all_dna and 100 * self._common >= LIKE_DNA * self._letters
        alphabet = DNA if like_dna and not self._said else self._alphabet
        [kind] = [name for name, each in ALPHABETS.items() if each is alphabet]
        return Checked(kind, self.record, self._letters)


def _kinds_of(alphabet: Alphabet) -> bytes:
    """What each byte is where this alphabet's letters are wanted."""
    kinds = bytearray([_STRANGER]) * 256
    dna = ((accepted(DNA), _RARE), (COMMON_IN_DNA, _COMMON))
    for letters, kind in ((accepted(alphabet), _OTHER), *dna, (BLANKS, _BLANK)):
        for letter in letters:
            if kinds[letter] != _STRANGER or kind == _OTHER:
                kinds[letter] = kind
    return bytes(kinds)


class _Fasta:
    """A header, which blanks may precede, and letters on any number of lines."""

    def __init__(self, tally: _LetterTally) -> None:
        self._tally, self._in_header = tally, False
        # Whether the open line has had nothing but blanks; bytes of the open header.
        self._is_blank, self._width = True, 0

    def take(self, text: bytes) -> None:
        """The next piece."""
        at, tried = 0, False
        while at < len(text):
            if not tried and not self._in_header and self._tally.column == 0 and text[at : at + 1] == b">":
                tried = True
                at += self._take_regular(text, at)
            if self._in_header or (self._is_blank and text[at : at + 1] == b">"):
                at += self._take_header(text, at)
            else:
                end = text.find(b">", at + 1)
                part = text[at : end if end >= 0 else len(text)]
                self._take_letters(part)
                at += len(part)

    def _take_regular(self, text: bytes, at: int) -> int:
        """Whole records without a fault, all at once, since one by one they take long; the size of their text."""
        end = text.rfind(b"\n>") + 1
        if end <= at:
            return 0
        begins, ends, is_header = fasta_lines(text[at:end])
        widths = ends - begins
        letters = slices(text, at + begins[~is_header], at + ends[~is_header])
        kinds = self._tally.kinds(b"".join(letters))
        of_records = np.add.reduceat(np.where(is_header, 0, widths), np.flatnonzero(is_header))
        if (
            widths[is_header].max() > LONGEST_HEADER
            or not self._tally.fits(int(of_records.max()))
            or _STRANGER in kinds
        ):
            return 0
        self._tally.begin_record(len(of_records))
        self._tally.count(kinds)
        self._tally.line += len(ends)
        return end - at

    def _take_letters(self, part: bytes) -> None:
        """Lines of letters up to a '>', which begins a header or is a stranger among the letters that follow."""
        self._tally.take(part)
        newline = part.rfind(b"\n")
        self._is_blank = (self._is_blank or newline >= 0) and not part[newline + 1 :].strip(BLANKS)

    def _take_header(self, text: bytes, at: int) -> int:
        """The rest of a header's line, as much as there is of it: its size."""
        if not self._in_header:
            self._tally.begin_record()
            self._width = 0
        end = text.find(b"\n", at) + 1
        self._in_header, self._is_blank = not end, True
        line = text[at : end or len(text)]
        self._width += len(line.removesuffix(b"\n"))
        if self._width > LONGEST_HEADER:
            self._tally.fail(LONG_HEADER, 1)
        self._tally.pass_lines(line)
        return len(line)

    def close(self) -> None:
        """Any end is one."""


class _Fastq:
    """Records of four lines: a header, letters, a plus sign, as many qualities; between records lines may be blank."""

    def __init__(self, tally: _LetterTally) -> None:
        self._tally, self._line = tally, _HEADER
        # Of the open line: how many bytes there are without the blanks around them, and where they begin.
        self._width, self._begin = 0, -1
        # What the open record's header and third line begin with, as far as it is needed to compare their names.
        self._name, self._plus = b"", b""

    def take(self, text: bytes) -> None:
        """The next piece."""
        at, tried = 0, False
        while at < len(text):
            if not tried and self._line == _HEADER and self._tally.column == 0:
                tried = True
                at += self._take_regular(text[at:])
            end = text.find(b"\n", at)
            if part := text[at : end if end >= 0 else len(text)]:
                self._take_part(part)
            if end >= 0:
                self._end_line()
            at += len(part) + 1

    def close(self) -> None:
        """Raise FastaFormatError where a record is not whole."""
        if self._tally.column:
            self._end_line()
        if self._line != _HEADER:
            self._tally.fail("the file ends within a FASTQ record", 1, self._tally.line - 1)

    def _take_regular(self, text: bytes) -> int:
        """Records without any fault or blank, all at once, since one by one they take long; the size of their text."""
        lines = text.split(b"\n")
        whole = (len(lines) - 1) // FASTQ_LINES * FASTQ_LINES
        headers, letters, pluses, qualities = (lines[line:whole:FASTQ_LINES] for line in range(FASTQ_LINES))
        sizes, kinds = list(map(len, letters)), self._tally.kinds(b"".join(letters))
        if (
            not whole
            or sizes != list(map(len, qualities))
            or not self._tally.fits(max(sizes))
            or _STRANGER in kinds
            or _BLANK in kinds
            or b"".join(qualities).translate(None, QUALITIES)
            or {header[:1] for header in headers} != {b"@"}
            or (set(pluses) != {b"+"} and not all(map(is_same_read, headers, pluses)))
            or max(map(len, headers)) > LONGEST_HEADER
        ):
            return 0
        self._tally.begin_record(len(headers))
        self._tally.count(kinds)
        self._tally.line += whole
        return sum(map(len, lines[:whole])) + whole

    def _take_part(self, part: bytes) -> None:
        """Some of a line, never nothing."""
        tally, begins = self._tally, self._begin < 0
        begin = tally.column
        if filled := part.rstrip(BLANKS):
            if self._line == _QUALITY:
                self._check_qualities(filled)
            if begins:
                self._begin = begin + len(part) - len(part.lstrip(BLANKS))
            self._width = begin + len(filled) - self._begin
        if self._line == _LETTERS:
            tally.take(part)
            return
        if self._line == _HEADER:
            self._name = (self._name + part)[: LONGEST_HEADER + 1]
        if self._line == _PLUS:
            self._plus = (self._plus + part)[: LONGEST_HEADER + 1]
        tally.column += len(part)
        if self._line == _HEADER and begins and filled:
            self._begin_record(part, begin)
        if self._line == _HEADER and tally.column > LONGEST_HEADER and self._begin >= 0:
            tally.fail(LONG_HEADER, 1)
        if self._line == _PLUS and begins and filled and filled.lstrip(BLANKS)[:1] != b"+":
            self._fail_plus()

    def _begin_record(self, part: bytes, begin: int) -> None:
        self._tally.begin_record()
        if begin or not part.startswith(b"@"):
            self._tally.fail("a FASTQ record begins with '@', and has its letters on one line", 1)

    def _end_line(self) -> None:
        is_blank = self._begin < 0
        if self._line == _PLUS and is_blank:
            self._fail_plus()
        if self._line == _PLUS and not is_same_read(self._name, self._plus.strip(BLANKS)):
            self._tally.fail(OTHER_READ, 1)
        letters = self._tally.of_record
        if self._line == _QUALITY and self._width != letters:
            sizes = f"{plural(self._width, 'quality', 'qualities')} for {plural(letters, 'letter')}"
            self._tally.fail(f"a FASTQ record with {sizes}", min(letters, self._width) + 1)
        if self._line != _HEADER or not is_blank:
            self._line = (self._line + 1) % FASTQ_LINES
        if self._line == _HEADER:
            self._name, self._plus = b"", b""
        self._width, self._begin = 0, -1
        self._tally.pass_lines(b"\n")

    def _check_qualities(self, filled: bytes) -> None:
        """Fail at a byte that is no quality in the next part of a line, which does not end in a blank."""
        column = self._tally.column
        known = self._begin + self._width if self._begin >= 0 else column + len(filled) - len(filled.lstrip(BLANKS))
        if known < column:
            self._tally.fail(NO_QUALITY, known + 1)
        qualities = filled[known - column :]
        if strangers := qualities.translate(None, QUALITIES):
            self._tally.fail(NO_QUALITY, known + qualities.index(strangers[:1]) + 1)

    def _fail_plus(self) -> NoReturn:
        self._tally.fail("a FASTQ record has '+' on its third line, and its letters on one line", 1)
