"""Which of several formats an Accept header asks for (RFC 9110)."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeVar

from app.problems import NotAcceptableError

Name = TypeVar("Name", bound=str)

_OF_ANY = ("q", "charset")
"""Parameters that choose no format: all text is UTF-8, and a weight that is none has no effect."""


@dataclass(frozen=True, slots=True)
class _Range:
    """Media types that an Accept header names together, and their weight; place: where it stands there."""

    media_range: str
    parameters: Set[str]
    weight: float
    place: int

    @classmethod
    def of(cls, part: str, place: int) -> "_Range":
        """A part of the header between commas."""
        media_range, *parameters = (each.strip() for each in part.split(";"))
        return cls(media_range, *_asked_of(parameters), place)

    @property
    def precision(self) -> tuple[int, int]:
        """The more of it the fewer media types it names."""
        return -self.media_range.count("*"), len(self.parameters)


def best_of(accept: str | None, names: Mapping[str, Name], missing: str = "") -> Name:
    """The best of formats by their media types; the first where anything will do.

    A format's weight is that of the most precise range that names it; of equal weights the first range counts. Raises
    NotAcceptableError, with what is missing behind the media types that there are.
    """
    ranges = [_Range.of(part, place) for place, part in enumerate((accept or "*/*").lower().split(","))]
    named = [(_most_precise(media_type, ranges), name) for media_type, name in names.items()]
    weighed = [(found.weight, -found.place, name) for found, name in named if found is not None and found.weight > 0]
    if not weighed:
        raise NotAcceptableError(f"a result can be had as {', '.join(names)}{missing}")
    return max(weighed, key=lambda each: each[:2])[2]


def _most_precise(media_type: str, ranges: Sequence[_Range]) -> _Range | None:
    """Of those that name a media type; with parameters they name only media types that have them, too."""
    kind, *parameters = media_type.split("; ")
    wider, having = (kind, f"{kind.partition('/')[0]}/*", "*/*"), set(parameters)
    naming = (each for each in ranges if each.media_range in wider and each.parameters <= having)
    return max(naming, key=lambda each: each.precision, default=None)


def _asked_of(parameters: list[str]) -> tuple[set[str], float]:
    """The parameters that a media type must have, and the weight of the range; what follows q is no parameter."""
    wanted: set[str] = set()
    for parameter in parameters:
        key, _, value = (each.strip().strip('"') for each in parameter.partition("="))
        if key == "q" and re.fullmatch(r"[01](\.\d{0,3})?", value, re.ASCII):
            return wanted, float(value)
        if key and key not in _OF_ANY:
            wanted.add(f"{key}={value}")
    return wanted, 1.0
