"""Axes of pictures: where their numbers stand, and the lines and words at them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shardwater.formats.figures.svg import BORDER, INK, text

BETWEEN_TICKS = 90
"""Pixels, at least."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A number at a place of an axis, in pixels from its begin."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Box:
    """Where a plot's axes are in the picture."""

    left: int
    top: int
    width: int
    height: int

    @property
    def bottom(self) -> int:
        """Where it ends."""
        return self.top + self.height

    @property
    def right(self) -> int:
        """Where it ends."""
        return self.left + self.width


def round_places(letters: int, size: float) -> range:
    """From 0, at most as many as have room; steps are 1, 2 or 5 times a power of ten."""
    least = max(1.0, letters * BETWEEN_TICKS / size)
    power = 1
    while 10 * power < least:
        power *= 10
    step = next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least)
    return range(0, letters + 1, step)


def residue_ticks(length: int, size: float) -> list[Tick]:
    """The middles of the first and the last residue, and of those at round numbers that have room between."""
    scale = size / max(1, length)
    _, *between = round_places(length, size)
    told = [place for place in between if BETWEEN_TICKS / 2 < (place - 1) * scale < size - BETWEEN_TICKS / 2]
    numbers = dict.fromkeys((1, *told, max(1, length)))
    return [Tick((number - 0.5) * scale, f"{number:,}") for number in numbers]


def bottom_axis(box: Box, ticks: Sequence[Tick], title: str) -> Iterator[str]:
    """Below a box."""
    for tick in ticks:
        yield f'<path stroke="{INK}" d="M{box.left + tick.at:.1f} {box.bottom}v5"/>\n'
        yield text(box.left + tick.at, box.bottom + 17, tick.text, "middle")
    yield text(box.left + box.width / 2, box.bottom + 36, title, "middle")


def left_axis(box: Box, ticks: Sequence[Tick], title: str) -> Iterator[str]:
    """Left of a box; places count from its lower end."""
    for tick in ticks:
        yield f'<path stroke="{BORDER}" d="M{box.left} {box.bottom - tick.at:.1f}h{box.width}"/>\n'
        yield f'<path stroke="{INK}" d="M{box.left} {box.bottom - tick.at:.1f}h-5"/>\n'
        yield text(box.left - 8, box.bottom - tick.at + 4, tick.text, "end")
    yield _turned(16, box, title)


def right_axis(box: Box, ticks: Sequence[Tick], title: str) -> Iterator[str]:
    """Right of a box; places count from its lower end."""
    for tick in ticks:
        yield f'<path stroke="{INK}" d="M{box.right} {box.bottom - tick.at:.1f}h5"/>\n'
        yield text(box.right + 8, box.bottom - tick.at + 4, tick.text, "start")
    yield _turned(box.right + 46, box, title)


def frame(box: Box) -> str:
    """The lines around it."""
    return (
        f'<rect x="{box.left}" y="{box.top}" width="{box.width}" height="{box.height}" '
        f'fill="none" stroke="{INK}"/>\n'
    )  # fmt: skip


def _turned(x: float, box: Box, title: str) -> str:
    middle = box.top + box.height / 2
    return text(x, middle, title, "middle", f' transform="rotate(-90 {x:g} {middle:.1f})"')
