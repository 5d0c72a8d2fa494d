"""The text of FASTA files in blocks, and the records of one block.

Blocks are cut at line ends (a line longer than a block is cut anywhere), never with regard to records: a record
that a border cuts goes on as the next batch's `head`. So memory does not depend on how long a record is, and no block
needs to know what came before.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from shardwater.database.accessions import hash_accessions
from shardwater.database.header_taxids import Taxids, taxids_in
from shardwater.errors import FastaFormatError
from shardwater.sequences.encoding import as_utf8, is_utf8
from shardwater.sequences.fasta import (
    BOM,
    INNER_BLANKS,
    Rules,
    unify_line_ends,
    unindent_headers,
    without_comments,
)
from shardwater.sequences.sources import Source

Int64s = npt.NDArray[np.int64]

GZIP_MAGIC = b"\x1f\x8b"
_GZIP_INPUT = 1 << 17
_NEWLINE, _GREATER = b"\n>"


class IrregularTextError(Exception):
    """The text is not clean FASTA; FaultFinder will say where."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some text with LF line ends; position is how far into the (perhaps compressed) file it reaches."""

    text: bytes
    opens_line: bool
    position: int


@dataclass(frozen=True, slots=True)
class Batch:
    """What one block holds: the rest of the record before it, then its own records, the last perhaps unfinished.

    Sequences still hold their newlines, lengths do not count them; size is the block's. ignored counts the letters that
    were left out, recoded the headers that were not UTF-8 and now are.
    """

    head: bytes
    head_length: int
    headers: list[bytes]
    sequences: list[bytes]
    lengths: Int64s
    hashes: npt.NDArray[np.uint64]
    taxids: Taxids
    size: int
    position: int
    ignored: int
    recoded: int


def read_blocks(source: Source, size: int, longest_header: int) -> Iterator[Block]:
    """The text of a plain or gzip file, about `size` bytes at a time; no border cuts a header that is not too long.

    Comment lines are empty.
    """
    with source.path.open("rb", buffering=0) as file:
        yield from blocks_of(file, source.name, size, longest_header)


def blocks_of(file: BinaryIO, name: str, size: int, longest_header: int) -> Iterator[Block]:
    """The same of a file that is open, from its beginning; errors call it by this name."""
    file.seek(0)
    magic = file.read(len(GZIP_MAGIC))
    file.seek(0)
    data = inflate(file, size, name) if magic == GZIP_MAGIC else iter(lambda: file.read(size), b"")
    opens_line, tail = True, b""
    for chunk in without_comments(unify(data)):
        text = tail + chunk if tail else chunk
        cut = text.rfind(b"\n") + 1
        if not cut and opens_line and len(text) <= longest_header and text.lstrip(INNER_BLANKS)[:1] in (b">", b""):
            tail = text
            continue
        cut = cut or len(text)
        yield Block(text[:cut], opens_line, file.tell())
        opens_line, tail = text[cut - 1] == _NEWLINE, text[cut:]
    if tail:
        yield Block(tail, opens_line, file.tell())


def unify(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Without the byte order mark, and with LF line ends: a CR waits for what follows it."""
    held = b""
    chunk = next(chunks, b"").removeprefix(BOM)
    while chunk:
        chunk = held + chunk
        held = b"\r" if chunk.endswith(b"\r") else b""
        if text := unify_line_ends(chunk.removesuffix(b"\r")):
            yield text
        chunk = next(chunks, b"")
    if held:
        yield b"\n"


def inflate(file: BinaryIO, size: int, name: str) -> Iterator[bytes]:
    """The text of a gzip file of any number of members, in pieces of at least `size` bytes but the last."""
    parts: list[bytes] = []
    total = 0
    for part in _inflate_members(file, size, name):
        parts.append(part)
        total += len(part)
        if total >= size:
            yield b"".join(parts)
            parts, total = [], 0
    yield b"".join(parts)


def _inflate_members(file: BinaryIO, size: int, name: str) -> Iterator[bytes]:
    member = zlib.decompressobj(wbits=31)
    started = False
    try:
        while data := file.read(_GZIP_INPUT):
            while data:
                if not started and not (data := data.lstrip(b"\0")):  # zeros between members are padding
                    break
                # The output is bounded too: a small bomb must not fill the memory.
                part = member.decompress(data, size)
                started, data = True, member.unconsumed_tail
                if member.eof:
                    data, member, started = member.unused_data, zlib.decompressobj(wbits=31), False
                if part:
                    yield part
    except zlib.error as error:
        raise FastaFormatError(f"corrupt gzip file ({error})", file=name) from error
    if started:
        raise FastaFormatError("truncated gzip file", file=name)


def parse_block(block: Block, rules: Rules) -> Batch:
    """The records of a block."""
    try:
        return _parse(block, rules)
    except IrregularTextError:
        text, ignored = _clean(block, rules.ignored)
        return _parse(Block(text, block.opens_line, block.position), rules, ignored)


def _parse(block: Block, rules: Rules, ignored: int = 0) -> Batch:
    text, codes = block.text, np.frombuffer(block.text, dtype=np.uint8)
    bounds = _line_bounds(codes)
    headed = _header_lines(block, codes, bounds)
    starts, header_stops = bounds[headed] + 1, bounds[headed + 1]
    begins, middles = [*starts.tolist(), len(text)], header_stops.tolist()
    headers = [text[begin + 1 : middle] for begin, middle in zip(begins, middles, strict=False)]
    newlines = len(bounds) - 1 if codes[-1] == _NEWLINE else len(bounds) - 2
    _check_bytes(text, headers, newlines, rules.alphabet.known)
    _check_headers(header_stops - starts, rules.longest_header, is_last_open=len(text) in middles[-1:])
    recoded = [number for number, header in enumerate(headers) if not is_utf8(header)] if not text.isascii() else []
    for number in recoded:
        headers[number] = as_utf8(headers[number])
    # How many bytes that are no newline lie before line i: bounds[i] + 1 - i. Lengths are differences of these.
    lines = np.append(headed, len(bounds) - 1)
    before = bounds[lines] + 1 - lines
    return Batch(
        head=text[: begins[0]],
        head_length=int(before[0]),
        headers=headers,
        sequences=[text[middle:end] for middle, end in zip(middles, begins[1:], strict=True)],
        lengths=before[1:] - (header_stops - headed),
        hashes=_hashes(headers),
        taxids=taxids_in(codes, starts),
        size=len(text),
        position=block.position,
        ignored=ignored,
        recoded=len(recoded),
    )


def _line_bounds(codes: npt.NDArray[np.uint8]) -> Int64s:
    """Line i lies between bounds i and i + 1: -1, the newlines, and the end of the text after an open last line."""
    newlines = np.flatnonzero(codes == _NEWLINE)
    return np.concatenate(([-1], newlines, [] if codes[-1] == _NEWLINE else [len(codes)])).astype(np.int64, copy=False)


def _header_lines(block: Block, codes: npt.NDArray[np.uint8], bounds: Int64s) -> Int64s:
    """The numbers of the lines that are headers."""
    leads = codes[bounds[:-1] + 1]
    if not block.opens_line:
        leads[0] = _NEWLINE  # the middle of a line, not its start
    return np.flatnonzero(leads == _GREATER)


def _check_bytes(text: bytes, headers: list[bytes], newlines: int, letters: bytes) -> None:
    """Sequence lines hold only letters of a database.

    Counting is enough: whatever the text has beyond its newlines and its headers is in a sequence line.
    """
    names = b"".join(headers)
    strangers = len(text.translate(None, letters)) - len(names.translate(None, letters))
    if strangers != newlines + len(headers) or b"\0" in names:
        raise IrregularTextError


def _check_headers(sizes: Int64s, longest: int, *, is_last_open: bool) -> None:
    """Sizes count the '>'. A header that its text cuts is too long, or the end of a file."""
    if is_last_open or (len(sizes) and sizes.max() > longest):
        raise IrregularTextError


def _hashes(headers: list[bytes]) -> npt.NDArray[np.uint64]:
    try:
        accessions = [header.split(None, 1)[0] for header in headers]
    except IndexError:
        raise IrregularTextError from None
    return hash_accessions(accessions)


def _clean(block: Block, ignored: bytes) -> tuple[bytes, int]:
    """The text without blanks in sequence lines and before headers, and without letters to be ignored: how many."""
    prefix = b"\n" if block.opens_line else b""
    first, *chunks = unindent_headers(prefix + block.text).split(b"\n>")
    found = [_strip_lines(first, ignored)]
    parts = [found[0].text]
    for chunk in chunks:
        header, newline, body = chunk.partition(b"\n")
        found.append(_strip_lines(body, ignored))
        parts.append(header + newline + found[-1].text)
    text = b"\n>".join(parts).removeprefix(prefix) or b"\n"
    return text, sum(each.ignored for each in found)


class _Stripped(NamedTuple):
    text: bytes
    ignored: int


def _strip_lines(lines: bytes, ignored: bytes) -> _Stripped:
    letters = lines.translate(None, INNER_BLANKS)
    stripped = letters.translate(None, ignored)
    if b">" in stripped:  # without what was before it, it would pass for a header
        raise IrregularTextError
    return _Stripped(stripped, len(letters) - len(stripped))
