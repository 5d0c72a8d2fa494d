"""A reader of FASTA so plain that it is obviously right, and what read_fasta makes of the same text."""

import string

from shardwater.errors import FastaFormatError
from shardwater.sequences import fasta
from shardwater.sequences.fasta import read_fasta

LETTERS = string.ascii_letters.encode() + b"*"
BLANKS = b" \t\v\f"
Place = tuple[int | None, int | None, int | None]


def readable(header: bytes) -> str:
    """UTF-8, and as Windows-1252 what is none."""
    text = header.decode("utf-8", "surrogateescape")
    return "".join(map(_letter, text))


def _letter(letter: str) -> str:
    byte = ord(letter) - 0xDC00
    return bytes([byte]).decode("cp1252", "ignore") or chr(byte) if 0x80 <= byte <= 0xFF else letter


def lines_of(text: bytes) -> list[bytes]:
    """The lines of a text, whose ends may be LF, CRLF or CR."""
    lines, line, after_return = [], bytearray(), False
    for byte in text:
        if byte == 0x0A and after_return:
            after_return = False
            continue
        after_return = byte == 0x0D
        if byte in (0x0A, 0x0D):
            lines.append(bytes(line))
            line.clear()
        else:
            line.append(byte)
    return [*lines, bytes(line)]


def is_header(line: bytes) -> bool:
    """Whether a record begins in a line: blanks may come before its '>'."""
    return line.lstrip(BLANKS)[:1] == b">"


def is_comment(line: bytes) -> bool:
    """Whether a line is left out: blanks may come before its sign."""
    return line.lstrip(BLANKS)[:1] in (b";", b"#", b"!")


def read_plainly(text: bytes) -> list[tuple[str, bytes]] | Place:  # noqa: PLR0911  a fault ends it at once
    """Headers with residues, or record, line and column of the first fault."""
    lines = lines_of(text.removeprefix(b"\xef\xbb\xbf"))
    bare = not any(is_header(line) for line in lines)
    records: list[tuple[str, bytearray, int]] = [("query_1", bytearray(), 1)] if bare else []
    for number, line in enumerate(lines, start=1):
        if is_header(line):
            header = line.lstrip(BLANKS)
            if records and not records[-1][1]:
                return len(records), records[-1][2], None
            if len(header) > fasta.QUERY_RULES.longest_header:
                return len(records) + 1, number, 1
            if b"\0" in line:
                return len(records) + 1, number, line.index(b"\0") + 1
            name = readable(header[1:]).strip()
            records.append((name or f"query_{len(records) + 1}", bytearray(), number))
            continue
        # A text that begins as a Stockholm alignment is refused as one.
        if is_comment(line) and not (number == 1 and line.startswith(b"# STOCKHOLM")):
            continue
        for column, byte in enumerate(line, start=1):
            if byte in BLANKS:
                continue
            if not records or byte not in LETTERS:
                return len(records), number, column
            records[-1][1].append(byte)
    if not bare and not records[-1][1]:
        return len(records), records[-1][2], None
    if bare and not records[0][1]:
        return None, None, None
    return [(header, bytes(residues)) for header, residues, _ in records]


def read(text: bytes) -> list[tuple[str, bytes]] | Place:
    """The same by read_fasta."""
    try:
        return [(record.header, record.residues) for record in read_fasta(text)]
    except FastaFormatError as error:
        return error.record, error.line, error.column
