"""Which of several formats an Accept header asks for (RFC 9110)."""

import re
from collections.abc import Mapping, Set
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

    def covers(self, media_type: str) -> bool:
        """Whether it names this one: with parameters only media types that have them, too."""
        kind, *parameters = media_type.split("; ")
        named = self.media_range in (kind, f"{kind.partition('/')[0]}/*", "*/*")
        return named and self.parameters <= set(parameters)

    @property
    def precision(self) -> tuple[int, int]:
        """The more of it the fewer media types it names."""
        return -self.media_range.count("*"), len(self.parameters)


def best_of(accept: str | None, names: Mapping[str, Name], missing: str = "") -> Name:
    """The best of formats by their media types; the first where anything will do.

    A format's weight is that of the most precise range that names it; of equal weights the first range counts. Raises
    NotAcceptableError, with what is missing behind the media types that there are.
    """
    ranges = [_range_of(part, place) for place, part in enumerate((accept or "*/*").lower().split(","))]
    best: tuple[float, int] | None = None
    chosen: Name | None = None
    for media_type, name in names.items():
        found = max((each for each in ranges if each.covers(media_type)), key=_precision, default=None)
        if found is not None and found.weight > 0 and (best is None or (found.weight, -found.place) > best):
            best, chosen = (found.weight, -found.place), name
    if chosen is None:
        raise NotAcceptableError(f"a result can be had as {', '.join(names)}{missing}")
    return chosen


def _precision(one: _Range) -> tuple[int, int]:
    return one.precision


def _range_of(part: str, place: int) -> _Range:
    media_range, *parameters = (each.strip() for each in part.split(";"))
    wanted, weight = _asked_of(parameters)
    return _Range(media_range, wanted, weight, place)


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
