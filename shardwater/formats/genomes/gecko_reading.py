"""HSPs read back from GECKO's CSV with the genomes that they are of: what gecko_csv.py writes, every number checked."""

import re
from array import array
from collections.abc import Iterator
from itertools import count, islice
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from shardwater.errors import AlignError, LimitExceeded
from shardwater.formats.genomes.gecko_csv import COLUMNS, HEADER_LINES, joined_letters
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import MATCH, Hsps, Numbers
from shardwater.plural import plural

LONGEST_LINE = 4096
MOST_HSPS = 1 << 26
_FIRST = HEADER_LINES + 2
"""The line of the first HSP."""
_FRAG = re.compile(
    rb"Frag,(\d{1,10}),(\d{1,10}),(\d{1,10}),(\d{1,10}),([fr]),\d{1,10},(\d{1,10}),(-?\d{1,10}),(\d{1,10})"
    rb",-?\d{1,3}\.\d\d,\d\.\d\d,(\d{1,10}),(\d{1,10})"
)
_LENGTH = re.compile(rb"Seq[XY] length *: (\d{1,10})")


class UnreadableCsv(AlignError):
    """A CSV that is not ours, or not of these genomes; says the line."""

    def __init__(self, line: int, what: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {what}")


def read_csv(file: BinaryIO, query: Genome, subject: Genome) -> Hsps:
    """The HSPs in their order. Raises UnreadableCsv, and LimitExceeded above MOST_HSPS."""
    lines = _lines(file)
    header = [*islice(lines, HEADER_LINES + 1)]
    if len(header) <= HEADER_LINES or header[-1] != COLUMNS.encode():
        raise UnreadableCsv(len(header) or 1, f"{HEADER_LINES} lines and GECKO's columns do not begin it")
    for line, side, genome in ((7, "X", query), (8, "Y", subject)):
        found = _LENGTH.fullmatch(header[line - 1])
        if found is None or int(found[1]) != joined_letters(genome):
            raise UnreadableCsv(line, f"Seq{side} has {plural(joined_letters(genome), 'letter')}, other than it says")
    table = _table(lines)
    hsps, right = _hsps(table, query, subject)
    if not right.all():
        raise UnreadableCsv(_FIRST + int(np.argmin(right)), "its numbers contradict each other, or are in no record")
    return hsps


def _lines(file: BinaryIO) -> Iterator[bytes]:
    for number in count(1):
        line = file.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise UnreadableCsv(number, f"it is longer than {LONGEST_LINE} bytes")
        if not line:
            return
        yield line.rstrip(b"\r\n")


def _table(lines: Iterator[bytes]) -> npt.NDArray[np.int64]:
    """(10, HSPs): xStart, yStart, xEnd, yEnd, 1 for r, length, score, ident, SeqX, SeqY."""
    numbers = array("q")
    for number, line in enumerate(lines):
        found = _FRAG.fullmatch(line)
        if found is None:
            raise UnreadableCsv(_FIRST + number, "it is no fragment with GECKO's columns")
        if number == MOST_HSPS:
            raise LimitExceeded("hsps", MOST_HSPS, number + 1)
        before, after = found.group(1, 2, 3, 4), found.group(6, 7, 8, 9, 10)
        numbers.extend((*map(int, before), found[5] == b"r", *map(int, after)))
    return np.frombuffer(numbers, np.int64).reshape(-1, 10).T


def _hsps(table: npt.NDArray[np.int64], query: Genome, subject: Genome) -> tuple[Hsps, npt.NDArray[np.bool_]]:
    """The HSPs, and which of them are sound."""
    x_start, y_start, x_end, y_end, turned, length, score, matches, x, y = table
    reverse = turned == 1
    y_first, y_last = np.where(reverse, y_end, y_start), np.where(reverse, y_start, y_end)
    right = (length > 0) & (x_end - x_start + 1 == length) & (y_last - y_first + 1 == length)
    right &= (matches <= length) & (score == MATCH * (2 * matches - length))
    right &= _within(query, x, x_start, x_end) & _within(subject, y, y_first, y_last)
    if not right.all():
        return Hsps.joined([]), right
    forward, other = (
        Hsps.of((x_start - x)[which], (y_first - y)[which], length[which], matches[which], strand)
        for which, strand in ((~reverse, False), (reverse, True))
    )
    # Back in the order of the lines.
    order = np.argsort(np.append(np.flatnonzero(~reverse), np.flatnonzero(reverse)))
    return Hsps.joined([forward, other])[order], right


def _within(genome: Genome, records: Numbers, first: Numbers, last: Numbers) -> npt.NDArray[np.bool_]:
    """Whether both places of a joined genome are in these records."""
    there = records < len(genome.names)
    known = np.where(there, records, 0)
    # Where there is no record there is no place either.
    begins, ends = (np.append(each, 0)[known] for each in (genome.offsets[:-1], genome.offsets[1:]))
    return there & (first >= begins + known) & (last < ends + known)
