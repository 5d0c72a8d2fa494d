"""Which of several formats an Accept header asks for (RFC 9110)."""

import re
from collections.abc import Mapping
from typing import TypeVar

from app.problems import NotAcceptableError

Name = TypeVar("Name", bound=str)

_OF_ANY = ("q", "charset")
"""Parameters that choose no format: all text is UTF-8, and a weight that is none has no effect."""


def best_of(accept: str | None, names: Mapping[str, Name], missing: str = "") -> Name:
    """The best of formats by their media types; the first where anything will do.

    Raises NotAcceptableError, with what is missing behind the media types that there are.
    """
    best: tuple[float, Name] | None = None
    for part in (accept or "*/*").lower().split(","):
        media_range, *parameters = (each.strip() for each in part.split(";"))
        wanted, weight = _asked_of(parameters)
        found = _match(media_range, wanted, names)
        if found is not None and weight > 0 and (best is None or weight > best[0]):
            best = (weight, found)
    if best is None:
        raise NotAcceptableError(f"a result can be had as {', '.join(names)}{missing}")
    return best[1]


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


def _match(media_range: str, wanted: set[str], names: Mapping[str, Name]) -> Name | None:
    """The first format that a range covers: one with parameters covers only media types that have them, too."""
    for media_type, name in names.items():
        kind, *parameters = media_type.split("; ")
        if media_range in (kind, f"{kind.partition('/')[0]}/*", "*/*") and wanted <= set(parameters):
            return name
    return None
