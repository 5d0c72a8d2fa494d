"""Rows of text from columns of numbers and of texts: all rows of a block at once.

Each cell is written four characters at a time, with NULs where it has fewer; then the NULs are taken out. So numbers
come from a table of four digits, and no row is formatted for itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, repeat
from typing import Self

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
_Quads = npt.NDArray[np.uint32]
"""(rows, characters / 4), or (characters / 4,) where all rows have the same."""
WIDEST = 64
"""Bytes of a text that is padded to the width of the longest; longer ones are joined one by one."""
_BETWEEN = b"\x01"
"""Between rows that wait for longer ones: no text here has it."""
_BASE = 10_000


def _quads(text: bytes) -> _Quads:
    return np.frombuffer(text + bytes(-len(text) % 4), np.uint32)


# Below _BASE four digits with NULs for leading zeros, 0 without a digit; then with its zeros; then 0 as one digit.
_FIRST, _NEXT, _ONLY = 0, _BASE, 2 * _BASE
_LEADING = [b"%d" % number if number else b"" for number in range(_BASE)]
_FOUR_DIGITS = _quads(
    b"".join(
        [
            *(digits.rjust(4, b"\0") for digits in _LEADING),
            *(b"%04d" % number for number in range(_BASE)),
            *((digits or b"0").rjust(4, b"\0") for digits in _LEADING),
        ]
    )
)
_HUNDREDTHS = _quads(b"".join(b".%02d\0" % number for number in range(100)))


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Texts that rows choose from, made ready once; padded (texts, width / 4): None where one of them is long."""

    texts: tuple[bytes, ...]
    padded: _Quads | None

    @classmethod
    def of(cls, texts: Iterable[bytes]) -> Self:
        """These texts, none with a NUL."""
        known = tuple(texts)
        width = max(map(len, known), default=0)
        width += -width % 4
        padded = b"".join(text.ljust(width, b"\0") for text in known) if width <= WIDEST else None
        return cls(known, None if padded is None else np.frombuffer(padded, np.uint32).reshape(len(known), width // 4))

    def choose(self, numbers: npt.NDArray[np.integer]) -> "Choice | list[bytes]":
        """A cell: of each row the text of this number."""
        if self.padded is None:
            return [self.texts[number] for number in numbers.tolist()]
        return Choice(self.padded, numbers)


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A cell of texts by their numbers."""

    padded: _Quads
    numbers: npt.NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Hundredths:
    """A cell of numbers with two digits after the point: 9825 is 98.25."""

    values: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Optional:
    """A cell of numbers that some rows leave empty."""

    values: Numbers
    there: npt.NDArray[np.bool_]


Cell = bytes | Numbers | Choice | Hundredths | Optional | list[bytes]
"""What all rows have, a number each, one of a few texts each, or a text of any length each."""
SIGNS = Choices.of([b"", b"-"])


def rows_text(cells: Sequence[Cell], count: int) -> bytes:
    """The text of `count` rows, cell after cell; no line end is added."""
    if not any(isinstance(cell, list) for cell in cells):
        return _joined(cells, count)
    columns = list[Iterable[bytes]]()
    for long, some in groupby(cells, key=lambda cell: isinstance(cell, list)):
        if long:
            columns += (cell for cell in some if isinstance(cell, list))
        else:
            columns.append(_apart([*some], count))
    return b"".join(chain.from_iterable(zip(*columns, strict=True)))


def _apart(cells: Sequence[Cell], count: int) -> Iterable[bytes]:
    if all(isinstance(cell, bytes) for cell in cells):
        return repeat(b"".join(cell for cell in cells if isinstance(cell, bytes)), count)
    return _joined([*cells, _BETWEEN], count).split(_BETWEEN)[:-1]


def _joined(cells: Sequence[Cell], count: int) -> bytes:
    columns = [column for cell in _merged(cells) for column in _columns(cell)]
    widths = [column.shape[1] if column.ndim == 2 else 1 for column in columns]
    text = np.empty((count, sum(widths)), np.uint32)
    at = 0
    for column, width in zip(columns, widths, strict=True):
        text[:, at : at + width] = column if column.ndim == 2 else column[:, None]
        at += width
    return text.tobytes().translate(None, b"\0")


def _merged(cells: Sequence[Cell]) -> Iterator[Cell]:
    """The same with what all rows have put together where it follows each other."""
    for fixed, some in groupby(cells, key=lambda cell: isinstance(cell, bytes)):
        if fixed:
            yield b"".join(cell for cell in some if isinstance(cell, bytes))
        else:
            yield from some


def _columns(cell: Cell) -> Iterator[_Quads]:
    """(rows,), (rows, width / 4), or (1, width / 4) where all rows have the same."""
    match cell:
        case bytes():
            yield _quads(cell)[None]
        case Choice():
            yield cell.padded[cell.numbers]
        case Hundredths():
            yield from _sign(cell.values)
            whole, rest = _divided(np.abs(cell.values), 100)
            yield from _digits(whole)
            yield _HUNDREDTHS[rest]
        case Optional():
            yield from (np.where(cell.there, column, 0) for column in _digits(cell.values))
        case np.ndarray():
            yield from _sign(cell)
            yield from _digits(np.abs(cell))


def _sign(values: Numbers) -> Iterator[_Quads]:
    """Nothing where no number is negative."""
    if len(values) and values.min() < 0:
        assert SIGNS.padded is not None
        yield SIGNS.padded[(values < 0).astype(np.int64)][:, 0]


def _digits(values: npt.NDArray[np.integer]) -> Iterator[_Quads]:
    """Four digits after four, the upper ones first; values are not negative."""
    most, lows, limit = int(values.max(initial=0)), list[tuple[npt.NDArray[np.integer], int]](), 1
    rest: npt.NDArray[np.integer] = values.astype(np.int32) if most < 1 << 31 else values
    while most // limit >= _BASE:
        rest, low = _divided(rest, _BASE)
        limit *= _BASE
        lows.append((low, limit))
    # Of the uppermost digits there are no zeros before, unless they are all there are.
    yield _FOUR_DIGITS[rest + (_FIRST if lows else _ONLY)]
    for low, limit in reversed(lows):
        alone = _ONLY if limit == _BASE else _FIRST
        yield _FOUR_DIGITS[low + np.where(values >= limit, _NEXT, alone)]


def _divided(values: npt.NDArray[np.integer], by: int) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]:
    """The same as divmod, of numbers that are not negative, in half the time."""
    whole = values // by
    return whole, values - whole * by
