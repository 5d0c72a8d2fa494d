"""Where hits lie along their query: bars coloured by bit score, each with the hit's name beside it."""

from collections.abc import Iterator

from shardwater.formats.figures.scales import Tick, residue_ticks
from shardwater.formats.figures.searched import called, database_of, name_of
from shardwater.formats.figures.svg import (
    BORDER,
    DIM,
    END,
    HEAD,
    INK,
    MARGIN,
    SMALL_FONT,
    WIDTH,
    Anchor,
    Entry,
    UnfitFigure,
    begin,
    fitted,
    head,
    legend,
    legend_height,
    name,
    rect,
    text,
)
from shardwater.formats.number_text import bits_text, evalue_text
from shardwater.plural import plural
from shardwater.search.merge import Hit, QueryResult, SearchResult

HITS, MOST_HITS = 50, 200
"""Hits that are drawn where nothing else is said, and the most of a picture."""
CLASSES = (
    (0, "under 40", "#a9b4c0"),
    (40, "40–50", "#62b7a5"),
    (50, "50–80", "#2593a8"),
    (80, "80–200", "#2a5fa3"),
    (200, "200 or more", "#4c2283"),
)
"""Lower bounds in bits, as BLAST draws them; colours run one way in lightness, for every eye. As on the page."""
_UNRATED = CLASSES[2][2]
_STEP, _BAR = 16, 8
_SCALE = 40
"""Pixels between the head and the first bar."""


def hits_svg(result: SearchResult, total: int, width: int = WIDTH) -> Iterator[str]:
    """The hits of a result's only query, of which there are so many in all. Raises UnfitFigure."""
    [one] = result.results
    if len(one.hits) > MOST_HITS:
        raise UnfitFigure("hits", f"a picture has {MOST_HITS} hits at most: these are {len(one.hits):,}")
    return _drawn(result, one, total, width)


def _drawn(result: SearchResult, one: QueryResult, total: int, width: int) -> Iterator[str]:
    names = min(340, round(width * 0.38))
    left, across = MARGIN, width - 2 * MARGIN - names
    entries, room = _entries(one), width - 2 * MARGIN
    top = HEAD + _SCALE
    bottom = top + max(1, len(one.hits)) * _STEP
    title = f"Hits of {called(one)}"
    yield from begin(width, bottom + 22 + legend_height(entries, room), title)
    shown = f"{len(one.hits):,} of {plural(total, 'hit')}"
    yield from head(width, title, f"{database_of(result)} · {shown}")
    yield from _scale(one, left, across, bottom)
    for place, hit in enumerate(one.hits):
        yield from _row(hit, one.query.length, left, across, top + place * _STEP, names)
    if not one.hits:
        yield text(left, top + 11, "no hits", "start", f' fill="{DIM}"')
    yield from legend(entries, left, bottom + 18, room)
    yield END


def _entries(one: QueryResult) -> list[Entry]:
    if not any(hit.hsps for hit in one.hits):
        return []
    if any(hit.bits is not None for hit in one.hits):
        return [Entry("Bit score:"), *(Entry(label, color, "box") for _, label, color in CLASSES)]
    return [Entry("alignment, without a bit score", _UNRATED, "box")]


def _scale(one: QueryResult, left: int, across: int, bottom: int) -> Iterator[str]:
    ticks: list[Tick] = residue_ticks(one.query.length, across)
    for tick in ticks:
        yield text(left + tick.at, HEAD + 12, tick.text, _anchor(tick.at, across), f' font-size="{SMALL_FONT}"')
        yield f'<path stroke="{BORDER}" d="M{left + tick.at:.1f} {HEAD + 18}V{bottom}"/>\n'
    yield rect(left, HEAD + 22, across, 6, INK)
    yield text(
        left + across + 10, HEAD + 29, f"query, {plural(one.query.length, 'residue')}", "start", f' fill="{DIM}"'
    )


def _anchor(at: float, across: float) -> Anchor:
    return "start" if at < MARGIN else "end" if at > across - MARGIN else "middle"


def _row(hit: Hit, length: int, left: int, across: int, top: int, names: int) -> Iterator[str]:
    accession, title = name_of(hit)
    yield f"<g>{name(_told(hit, accession))}"
    for hsp in hit.hsps:
        begins, ends = ((place / max(1, length)) * across for place in (hsp.query_from - 1, hsp.query_to))
        color = _color(hsp.bits)
        wide = max(2.0, ends - begins)
        yield rect(round(left + begins, 1), top + 3, round(wide, 1), _BAR, color)
    if not hit.hsps:
        yield text(left, top + 11, "not aligned", "start", f' font-size="{SMALL_FONT}" fill="{DIM}"')
    label = fitted(f"{accession} {title}".rstrip(), names - 10, SMALL_FONT)
    yield text(left + across + 10, top + 11, label, "start", f' font-size="{SMALL_FONT}"')
    yield "</g>\n"


def _told(hit: Hit, accession: str) -> str:
    """What a program for pictures shows of a hit."""
    rating = f"score {hit.score}" if hit.bits is None else f"{bits_text(hit.bits).strip()} bits"
    told = rating if hit.evalue is None else f"{rating}, E-value {evalue_text(hit.evalue)}"
    places = ", ".join(f"{hsp.query_from}-{hsp.query_to}" for hsp in hit.hsps)
    return f"{hit.rank}. {accession}: {told}" + (f", {places}" if places else "")


def _color(bits: float | None) -> str:
    if bits is None:
        return _UNRATED
    return next((color for least, _, color in reversed(CLASSES) if bits >= least), CLASSES[0][2])
