"""The scores of all subjects as a histogram, with the curve that chance alone would give, and the hits among them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from shardwater.formats.figures.scales import Box, Tick, bottom_axis, frame, left_axis, round_places
from shardwater.formats.figures.searched import called, database_of
from shardwater.formats.figures.svg import (
    END,
    HEAD,
    MARGIN,
    WIDTH,
    Entry,
    begin,
    boxes,
    head,
    legend,
    legend_height,
)
from shardwater.plural import plural
from shardwater.search.judging import Distribution
from shardwater.search.merge import Hit, QueryResult, SearchResult

Range = Literal["chance", "all"]
"""Scores up to where chance explains nothing any more, and as much again; or up to the highest one."""
SUBJECTS, HITS, CURVE = "#a9b4c0", "#0b6478", "#d55e00"
_LEFT = 76
_NARROWEST = 5
"""Pixels of a bar: thinner ones are drawn together."""
_LEAST = 0.5
"""Of subjects: the lower end of the axis, which a logarithm does not let be 0."""


@dataclass(frozen=True, slots=True)
class _Bins:
    """What is drawn: bins of so many scores, and of each its subjects, its hits, and what is expected."""

    width: int
    subjects: list[float]
    hits: list[float]
    expected: list[float] | None


def scores_svg(result: SearchResult, counted: Distribution, shown: Range, width: int = WIDTH) -> Iterator[str]:
    """The scores of a result's only query, as they were counted."""
    [one] = result.results
    across = width - _LEFT - MARGIN
    near = _edge_of_chance(counted)
    bins = len(counted.counts) if shown == "all" else min(near, len(counted.counts))
    drawn = _bins(counted, one.hits, bins, math.ceil(bins * _NARROWEST / across))
    box = Box(_LEFT, HEAD + 6, across, min(600, max(220, round(across * 0.45))))
    entries, room = _entries(one, counted, bins), width - _LEFT - MARGIN
    title = f"Scores of all subjects: {called(one)}"
    yield from begin(width, box.bottom + 62 + legend_height(entries, room), title)
    yield from head(width, title, f"{database_of(result)} · {plural(sum(counted.counts), 'subject')}")
    yield from _plot(box, drawn)
    yield from legend(entries, _LEFT, box.bottom + 58, room)
    yield END


def _edge_of_chance(counted: Distribution) -> int:
    usual: Sequence[float] = counted.expected or counted.counts
    last = next((place for place in reversed(range(len(usual))) if usual[place] >= _LEAST), 0)
    return max(20, math.ceil(last * 1.8))


def _bins(counted: Distribution, hits: Sequence[Hit], shown: int, times: int) -> _Bins:
    """The first bins, so many at a time added up."""
    per_bin = [0] * len(counted.counts)
    for hit in hits:
        per_bin[min(len(per_bin) - 1, hit.score // counted.bin_width)] += 1

    def added(values: Sequence[float]) -> list[float]:
        return [sum(values[first : min(shown, first + times)]) for first in range(0, shown, times)]

    expected = None if counted.expected is None else added(counted.expected)
    return _Bins(counted.bin_width * times, added(counted.counts), added(per_bin), expected)


def _entries(one: QueryResult, counted: Distribution, shown: int) -> list[Entry]:
    entries = [
        Entry(plural(sum(counted.counts), "subject"), SUBJECTS, "box"),
        Entry(f"hits that are reported: {len(one.hits):,}", HITS, "box"),
    ]
    if counted.expected is not None:
        entries.append(Entry("expected by chance, fitted", CURVE))
    beyond = sum(hit.score >= shown * counted.bin_width for hit in one.hits) if shown < len(counted.counts) else 0
    lie = "lies" if beyond == 1 else "lie"
    return [*entries, Entry(f"{beyond:,} of the hits {lie} further right")] if beyond else entries


def _plot(box: Box, bins: _Bins) -> Iterator[str]:
    highest = max(10.0, 1.5 * max([*bins.subjects, *(bins.expected or [0.0])]))
    scale = box.height / math.log(highest / _LEAST)

    def up(subjects: float) -> float:
        return round(math.log(max(_LEAST, subjects) / _LEAST) * scale, 1)

    powers = (10**power for power in range(math.floor(math.log10(highest)) + 1))
    what = "subjects" if bins.width == 1 else f"subjects in {bins.width} scores"
    yield from left_axis(box, [Tick(up(power), f"{power:,}") for power in powers], what)
    wide = box.width / len(bins.subjects)
    for color, values in ((SUBJECTS, bins.subjects), (HITS, bins.hits)):
        yield boxes(color, _bars(box, values, wide, [up(value) for value in values]))
    if bins.expected is not None:
        yield _curve(box, bins.expected, wide, [up(value) for value in bins.expected])
    yield frame(box)
    scores = len(bins.subjects) * bins.width
    ticks = [Tick(place / scores * box.width, f"{place:,}") for place in round_places(scores, box.width)]
    yield from bottom_axis(box, ticks, "raw score")


def _bars(
    box: Box, values: Sequence[float], wide: float, heights: Sequence[float]
) -> Iterator[tuple[float, float, float, float]]:
    for place, (value, height) in enumerate(zip(values, heights, strict=True)):
        if value:
            x = round(box.left + (place + 0.05) * wide, 1)
            yield x, box.bottom - height, round(0.9 * wide, 1), height


def _curve(box: Box, expected: Sequence[float], wide: float, heights: Sequence[float]) -> str:
    """Through the middles of bins, where it is not below the axis."""
    points, path = "M", list[str]()
    for place, (value, height) in enumerate(zip(expected, heights, strict=True)):
        if value < _LEAST:
            points = "M"
            continue
        path.append(f"{points}{box.left + (place + 0.5) * wide:.1f} {box.bottom - height:.1f}")
        points = "L"
    return f'<path fill="none" stroke="{CURVE}" stroke-width="2" d="{"".join(path)}"/>\n'
