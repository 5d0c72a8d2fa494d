"""An alignment in blocks of 60 columns with names, places and the midline; colours tell how alike letters are."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shardwater.formats.figures.searched import called, database_of, name_of
from shardwater.formats.figures.svg import (
    END,
    HEAD,
    INK,
    MARGIN,
    MONOSPACE,
    Entry,
    UnfitFigure,
    begin,
    boxes,
    columns,
    head,
    legend,
    legend_height,
    text,
)
from shardwater.formats.number_text import bits_text, evalue_text
from shardwater.formats.titles import one_line
from shardwater.pairs.told import ToldPairs
from shardwater.plural import plural
from shardwater.search.merge import SearchResult

BLOCK = 60
"""Columns of a line."""
MOST_BLOCKS = 120
MOST_COLUMNS = MOST_BLOCKS * BLOCK
"""Of a picture: the first ones."""
SAME, ALIKE, OTHER, GAP = "#9ccbe0", "#d9ecdc", "#ffffff", "#eceff2"
_LONGEST_NAME = 20
_LETTER, _LINE = 8, 16
_BETWEEN = 14
"""Pixels between blocks."""


@dataclass(frozen=True, slots=True)
class Side:
    """A sequence's row: its name, the place of its first letter, and 1, or -1 where places fall."""

    name: str
    row: str
    first: int
    step: int = 1


@dataclass(frozen=True, slots=True)
class Shown:
    """An alignment's columns that are drawn, its midline with a blank where letters are not alike and + where they are
    but differ; columns: of the whole alignment.
    """

    title: str
    of: str
    query: Side
    midline: str
    subject: Side
    columns: int


def hit_alignment_svg(result: SearchResult, number: int = 1) -> Iterator[str]:
    """An alignment of the only hit of a result's only query, the best one first. Raises UnfitFigure."""
    [one] = result.results
    [hit] = one.hits
    accession, title = name_of(hit)
    if number > len(hit.hsps):
        has = plural(len(hit.hsps), "alignment") if hit.hsps else "no alignment"
        raise UnfitFigure("alignment", f"hit {hit.rank} has {has} in the result")
    hsp = hit.hsps[number - 1]
    rating = [] if hsp.bits is None else [f"{bits_text(hsp.bits).strip()} bits"]
    rating += [f"score {hsp.score}", *([] if hsp.evalue is None else [f"E-value {evalue_text(hsp.evalue)}"])]
    shown = Shown(
        f"{called(one)} and {accession} {title}".rstrip(),
        f"{database_of(result)} · {', '.join(rating)}",
        Side(called(one), hsp.qseq[:MOST_COLUMNS], hsp.query_from),
        hsp.midline[:MOST_COLUMNS],
        Side(accession, hsp.hseq[:MOST_COLUMNS], hsp.hit_from),
        len(hsp.midline),
    )
    return alignment_svg(shown)


def pair_svg(pairs: ToldPairs, row: int) -> Iterator[str]:
    """An alignment of a pair, by its row, of which no more is read than is drawn. Raises UnfitFigure if it has none."""
    told = pairs.ends(row)
    if told.query_from is None or told.query_to is None or told.subject_from is None:
        raise UnfitFigure("pair", "the pair has no alignment: nothing of it scores above 0")
    length, rows = pairs.beginning(row, MOST_COLUMNS)
    backwards = told.strand == "-"
    query = Side(told.query, rows.query, told.query_to if backwards else told.query_from, -1 if backwards else 1)
    subject = Side(told.subject, rows.subject, told.subject_from)
    strand = ", the query's reverse complement" if backwards else ""
    of = f"score {told.score:g}{strand}"
    return alignment_svg(Shown(f"{told.query} and {told.subject}", of, query, rows.midline, subject, length))


def alignment_svg(shown: Shown) -> Iterator[str]:
    """The picture, piece by piece; where these are the first columns of more, the legend says so."""
    sides = shown.query, shown.subject
    names = [_short(side.name) for side in sides]
    furthest = max(side.first + side.step * _letters(side.row) for side in sides)
    numbers = len(str(max(furthest, *(side.first for side in sides))))
    left = MARGIN + (max(map(len, names)) + 1 + numbers) * _LETTER + 10
    width = left + BLOCK * _LETTER + 10 + numbers * _LETTER + MARGIN
    entries, room = _entries(shown), width - 2 * MARGIN
    blocks = -(-len(shown.midline) // BLOCK)
    bottom = HEAD + 6 + blocks * (3 * _LINE + _BETWEEN)
    yield from begin(width, bottom + 10 + legend_height(entries, room), shown.title)
    yield from head(width, shown.title, shown.of)
    places = [side.first for side in sides]
    for number in range(blocks):
        part, top = slice(number * BLOCK, (number + 1) * BLOCK), HEAD + 6 + number * (3 * _LINE + _BETWEEN)
        lines = [side.row[part] for side in sides]
        yield from _colours(lines, shown.midline[part], left, top)
        yield columns(left, top + _LINE + 12, shown.midline[part], _LETTER, f' font-size="13" fill="{INK}"')
        for row, (side, line) in enumerate(zip(sides, lines, strict=True)):
            baseline = top + 2 * row * _LINE + 12
            ends = _ends(places[row], _letters(line), side.step)
            yield text(MARGIN, baseline, names[row], "start", MONOSPACE)
            yield text(left - 10, baseline, str(ends[0]), "end", MONOSPACE)
            yield columns(left, baseline, line, _LETTER, ' font-size="13"')
            yield text(left + len(line) * _LETTER + 10, baseline, str(ends[1]), "start", MONOSPACE)
            places[row] += side.step * _letters(line)
    yield from legend(entries, MARGIN, bottom + 8, room)
    yield END


def _short(name: str) -> str:
    line = one_line(name)
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"


def _letters(row: str) -> int:
    return len(row) - row.count("-")


def _ends(first: int, letters: int, step: int) -> tuple[int, int]:
    """The places of a line's first and last letter; of a line of gaps alone, twice that of the letter before."""
    return (first, first + step * (letters - 1)) if letters else (first - step, first - step)


def _entries(shown: Shown) -> list[Entry]:
    """How many columns are of which kind, of those that are drawn."""
    drawn = len(shown.midline)
    counts = Counter(map(_kind, shown.query.row, shown.midline, shown.subject.row))
    entries = [
        Entry(f"{what}: {counts[color]:,}", color, "box")
        for what, color in (("the same letters", SAME), ("others that score above 0", ALIKE), ("gaps", GAP))
    ]
    entries.append(Entry(plural(shown.columns, "column")))
    return entries if drawn == shown.columns else [*entries, Entry(f"drawn and counted are the first {drawn:,}")]


def _colours(lines: Sequence[str], midline: str, left: int, top: int) -> Iterator[str]:
    """Boxes behind both rows, a path for each colour."""
    kinds = [_kind(*column) for column in zip(lines[0], midline, lines[1], strict=True)]
    for color in (SAME, ALIKE, GAP):
        yield boxes(color, [(left + at * _LETTER, top, n * _LETTER, 3 * _LINE) for at, n in _runs(kinds, color)])


def _kind(query: str, mark: str, subject: str) -> str:
    if "-" in (query, subject):
        return GAP
    return OTHER if mark == " " else ALIKE if mark == "+" else SAME


def _runs(kinds: Sequence[str], wanted: str) -> Iterator[tuple[int, int]]:
    """Where a kind begins, and for how many columns."""
    begun = None
    for at, kind in enumerate([*kinds, None]):
        if kind == wanted and begun is None:
            begun = at
        elif kind != wanted and begun is not None:
            yield begun, at - begun
            begun = None
