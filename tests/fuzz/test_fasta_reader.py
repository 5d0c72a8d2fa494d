"""read_fasta against a reader so plain that it is obviously right: the same records, the same place of a fault."""

from contextlib import suppress
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.errors import FastaFormatError
from shardwater.sequences import fasta
from shardwater.sequences.fasta import count_headers, read_fasta
from tests.fuzz.cases import cases
from tests.fuzz.plain_fasta import is_header, lines_of, read, read_plainly

PIECES = st.sampled_from([
    *(b">", b"\n", b"\r", b"\r\n", b"\n>", b"\r>", b" ", b"\t", b"M", b"kv*", b"-", b"\0", b"a b", b"\xff", b"1"),
    *(b";", b"#", b"!"),
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
    headers = sum(is_header(line) for line in lines_of(decoded.removeprefix("\ufeff").encode()))
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
