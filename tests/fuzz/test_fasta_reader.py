"""read_fasta against a reader so plain that it is obviously right: the same records, the same place of a fault."""

import string
from contextlib import suppress
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater import fasta
from shardwater.errors import FastaFormatError
from shardwater.fasta import count_headers, read_fasta
from tests.fuzz.cases import cases

LETTERS = string.ascii_letters.encode() + b"*"
BLANKS = b" \t\v\f"
Place = tuple[int | None, int | None, int | None]


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


def read_plainly(text: bytes) -> list[tuple[str, bytes]] | Place:  # noqa: PLR0911  a fault ends it at once
    """Headers with residues, or record, line and column of the first fault."""
    lines = lines_of(text.removeprefix(b"\xef\xbb\xbf"))
    bare = not any(line[:1] == b">" for line in lines)
    records: list[tuple[str, bytearray, int]] = [("query_1", bytearray(), 1)] if bare else []
    for number, line in enumerate(lines, start=1):
        if line[:1] == b">":
            if records and not records[-1][1]:
                return len(records), records[-1][2], None
            if len(line) > fasta.QUERY_RULES.longest_header:
                return len(records) + 1, number, 1
            if b"\0" in line:
                return len(records) + 1, number, line.index(b"\0") + 1
            header = line[1:].decode("utf-8", "replace").strip()
            records.append((header or f"query_{len(records) + 1}", bytearray(), number))
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


PIECES = st.sampled_from([
    *(b">", b"\n", b"\r", b"\r\n", b"\n>", b"\r>", b" ", b"\t", b"M", b"kv*", b"-", b";", b"\0", b"a b", b"\xff", b"1"),
    b"\xef\xbb\xbf",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=40).map(b"".join)


@given(text=TEXTS | st.binary(max_size=40), slice_size=st.sampled_from([1, 3, 65_536]))
@cases(200)
def test_both_readers_say_the_same(text: bytes, slice_size: int) -> None:
    with patch.object(fasta, "SLICE", slice_size):
        assert read(text) == read_plainly(text)


@given(text=TEXTS)
@cases(100)
def test_headers_are_counted_as_they_are_read(text: bytes) -> None:
    decoded = text.decode("utf-8", "replace")
    headers = sum(line[:1] == b">" for line in lines_of(decoded.removeprefix("\ufeff").encode()))
    assert count_headers(decoded) == headers
    with suppress(FastaFormatError):
        assert len(read_fasta(decoded.encode())) == max(1, headers)


@pytest.mark.parametrize("length", [65_535, 65_536])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_header_has_at_most_65535_bytes(length: int, end: bytes) -> None:
    text = b">a" + end + b"MKV" + end + b">" + "é".encode() * (length // 2) + b"x" * (length % 2) + end + b"MK"
    assert read(text) == read_plainly(text)
    assert isinstance(read(text), list) is (length == 65_535)


@pytest.mark.parametrize("blanks", [65_530, 65_540, 200_000])
def test_fault_far_behind_is_placed(blanks: int) -> None:
    text = b">a\nMK\n" + b"\n" * blanks + b"M K" * 30_000 + b"\n M@\n>b\nM"
    assert read(text) == read_plainly(text) == (1, blanks + 4, 3)
