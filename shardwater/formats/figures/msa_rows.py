"""Rows of an MSA in blocks: letters coloured by what residues are like, and how conserved each column is."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.formats.figures.conservation import CONSERVED, Floats, conserved, covered
from shardwater.formats.figures.made_of import database_of, query_of
from shardwater.formats.figures.svg import (
    DIM,
    END,
    HEAD,
    MARGIN,
    MOST_HEIGHT,
    SMALL_FONT,
    WIDTH,
    Entry,
    UnfitFigure,
    begin,
    boxes,
    columns,
    fitted,
    head,
    legend,
    legend_height,
    text,
)
from shardwater.msa.conservation import Conservation
from shardwater.msa.msa import GAP, Letters, Msa
from shardwater.plural import plural

ROWS, MOST_ROWS = 30, 200
"""Rows that are drawn where nothing else is said, and the most of a picture, besides the query."""
POSITIONS, MOST_POSITIONS = 300, 1000
"""Of the query: as many from the first one where nothing else is said, and the most of a picture."""
GROUPS = (
    ("AILMFWV", "hydrophobic", "#a9c9f6"),
    ("KR", "positive", "#f4aba2"),
    ("DE", "negative", "#dab2ea"),
    ("NQST", "polar", "#a9dca9"),
    ("C", "cysteine", "#f3b5cb"),
    ("G", "glycine", "#f7c896"),
    ("P", "proline", "#eae58d"),
    ("HY", "aromatic", "#9cdcdc"),
    ("", "other", "#d5dbe1"),
)
"""Groups as Clustal X has them (Larkin et al. 2007), whatever the rest of the column is. As on the page."""
GAPS = "#eceff2"
_LETTER, _ROW = 9, 14
_NAMES, _SPARE = 150, 8
"""Pixels for names, and of these between the longest one and the letters."""
_NUMBER = 44
"""Pixels for the place of a block's last residue."""
_LEFT = MARGIN + _NAMES
_SMALL = f' font-size="{SMALL_FONT}"'
_RULER, _TRACK, _BETWEEN = 14, 26, 14
_TENTH = 10
_GAP, _OUTSIDE = len(GROUPS), len(GROUPS) + 1
_KINDS = np.full(256, len(GROUPS) - 1, np.uint8)
for _number, (_letters, *_) in enumerate(GROUPS):
    _KINDS[np.frombuffer(_letters.encode(), np.uint8)] = _number
_KINDS[GAP] = _GAP
_COLORS = (*(color for _, _, color in GROUPS), GAPS)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows and positions: so many rows, from the first position to the last one, from 1."""

    rows: int = ROWS
    first: int = 1
    last: int | None = None
    width: int = WIDTH

    def positions(self, msa: Msa) -> range:
        """The query's, from 0. Raises UnfitFigure."""
        last = min(msa.columns, self.first + POSITIONS - 1) if self.last is None else self.last
        if self.first > msa.columns:
            raise UnfitFigure("from", f"the query has {plural(msa.columns, 'position')}")
        if last > msa.columns:
            raise UnfitFigure("to", f"the query has {plural(msa.columns, 'position')}")
        if last < self.first:
            raise UnfitFigure("to", "positions count up: it is before `from`")
        if last - self.first >= MOST_POSITIONS:
            raise UnfitFigure("to", f"a picture has {MOST_POSITIONS:,} positions at most")
        return range(self.first - 1, last)


def rows_svg(msa: Msa, counted: Conservation, wanted: Wanted) -> Iterator[str]:
    """The first rows of an MSA below its query; counted: the columns of all its rows. Raises UnfitFigure."""
    places, shown = wanted.positions(msa), msa.first(wanted.rows)
    picture = _Picture(wanted.width, places, len(shown) + 1, _entries(shown))
    if picture.height > MOST_HEIGHT:
        raise UnfitFigure(
            "rows",
            f"the picture would be {picture.height:,} pixels high, and {MOST_HEIGHT:,} is the most: ask for fewer rows "
            "or positions, or a wider picture",
        )
    return _drawn(msa, shown, np.where(covered(counted), conserved(counted), 0.0), picture)


@dataclass(frozen=True, slots=True)
class _Picture:
    """Where all stands; places: of the query, from 0; rows: with the query."""

    width: int
    places: range
    rows: int
    entries: list[Entry]

    @property
    def across(self) -> int:
        """Positions of a block."""
        return (self.width - 2 * MARGIN - _NAMES - _NUMBER) // _LETTER

    @property
    def blocks(self) -> list[range]:
        """The positions of each."""
        return [self.places[first : first + self.across] for first in range(0, len(self.places), self.across)]

    @property
    def block(self) -> int:
        """Pixels from one to the next."""
        return _RULER + self.rows * _ROW + _TRACK + _BETWEEN

    @property
    def bottom(self) -> int:
        """Where the last block ends."""
        return HEAD + len(self.blocks) * self.block

    @property
    def height(self) -> int:
        """Of the picture."""
        return self.bottom + 14 + legend_height(self.entries, self.width - 2 * MARGIN)


def _entries(shown: Msa) -> list[Entry]:
    entries = [Entry(f"{label} ({letters})" if letters else label, color, "box") for letters, label, color in GROUPS]
    entries += [Entry("gap", GAPS, "box"), Entry("conservation: 1 − entropy / log2 20, of all rows", CONSERVED, "box")]
    lower = (shown.letters.joined >= ord("a")) & (shown.letters.joined <= ord("z"))
    return [*entries, Entry("letters between the query's positions are left out")] if lower.any() else entries


def _drawn(msa: Msa, shown: Msa, share: Floats, picture: _Picture) -> Iterator[str]:
    letters = np.vstack((np.frombuffer(msa.query.residues, np.uint8), shown.aligned(0, len(shown))))
    kinds = _kinds(letters, shown)
    names = [query_of(msa), *(row.name or "no partner" for row in shown)]
    title = f"Rows aligned to {query_of(msa)}"
    yield from begin(picture.width, picture.height, title)
    part = f"positions {picture.places[0] + 1:,} to {picture.places[-1] + 1:,} of {msa.columns:,}"
    yield from head(picture.width, title, f"{database_of(msa)}{len(shown):,} of {plural(len(msa), 'row')} · {part}")
    for number, places in enumerate(picture.blocks):
        top, part_of = HEAD + number * picture.block, slice(places[0], places[-1] + 1)
        yield from _ruler(places, top + _RULER - 4)
        yield from _rows(letters[:, part_of], kinds[:, part_of], names, top + _RULER)
        yield text(_LEFT + len(places) * _LETTER + 6, top + _RULER + 11, f"{places[-1] + 1:,}", "start", _SMALL)
        yield _track(share[part_of], top + _RULER + picture.rows * _ROW + _TRACK)
    yield from legend(picture.entries, MARGIN, picture.bottom + 12, picture.width - 2 * MARGIN)
    yield END


def _kinds(letters: Letters, shown: Msa) -> Letters:
    """What each is drawn as: the number of its group, or no letter, within what is aligned of its row or outside."""
    kinds = _KINDS[letters]
    places = np.arange(letters.shape[1])
    begins, ends = (shown.figures[name][:, None] for name in ("query_start", "query_end"))
    kinds[1:][(places < begins) | (places >= ends)] = _OUTSIDE
    return kinds


def _ruler(places: range, baseline: int) -> Iterator[str]:
    for at, place in enumerate(places):
        if (place + 1) % _TENTH == 0:
            x = _LEFT + (at + 0.5) * _LETTER
            yield text(x, baseline, f"{place + 1}", "middle", f' font-size="9" fill="{DIM}"')


def _rows(letters: Letters, kinds: Letters, names: list[str], top: int) -> Iterator[str]:
    for kind, color in enumerate(_COLORS):
        yield boxes(color, _runs(kinds == kind, top))
    for row, name in enumerate(names):
        baseline = top + row * _ROW + 11
        yield text(MARGIN, baseline, fitted(name, _NAMES - _SPARE, SMALL_FONT), "start", _SMALL)
        line = letters[row].tobytes().decode("ascii", "replace").replace("-", " ")
        yield columns(_LEFT, baseline, line, _LETTER, _SMALL)


def _runs(there: npt.NDArray[np.bool_], top: int) -> Iterator[tuple[float, float, float, float]]:
    """Boxes of neighbours in a row."""
    for row, each in enumerate(there):
        edges = np.flatnonzero(np.diff(each.astype(np.int8), prepend=0, append=0)).tolist()
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            yield _LEFT + first * _LETTER, top + row * _ROW, (last - first) * _LETTER, _ROW


def _track(share: Floats, bottom: int) -> str:
    """Nothing where a column has 0, as one has in which only the query has a letter."""
    heights = enumerate(np.round(share * (_TRACK - 4), 1).tolist())
    places = ((_LEFT + at * _LETTER + 1, bottom - high, _LETTER - 2, high) for at, high in heights if high)
    return boxes(CONSERVED, places)
