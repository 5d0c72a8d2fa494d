"""JSON in the one form that a digest can be made of: RFC 8785, the JSON Canonicalization Scheme.

Members sorted by name, no blanks, strings with the fewest escapes, numbers as JavaScript writes them: a value has one
text, whoever wrote it and however. So a result may be indented, or go through another program, and keep its digest.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from json.encoder import encode_basestring
from math import inf
from typing import Any

EXACT = 2**53
"""Up to here JavaScript knows every whole number; larger ones are written as the nearest that it knows."""


def canonical(value: Any) -> bytes:
    """A value of JSON, as json.loads gives it, in UTF-8."""
    return _WRITERS[type(value)](value).encode("utf-8", "surrogatepass")


def number(value: float) -> str:
    """A number as JavaScript writes it (ECMA-262, Number::toString)."""
    if type(value) is int and -EXACT <= value <= EXACT:
        return str(value)
    text = repr(_double(value))
    if "e" not in text:
        return text.removesuffix(".0") if value else "0"
    sign, text = ("-", text[1:]) if value < 0 else ("", text)
    mantissa, _, power = text.partition("e")
    before, _, after = mantissa.partition(".")
    digits, point = before + after, len(before) + int(power)
    if len(digits) <= point <= 21:
        return f"{sign}{digits:0<{point}}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _double(value: float) -> float:
    """The nearest number that JavaScript knows; of a whole number beyond all of them, infinity."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _array(values: list[Any]) -> str:
    return f"[{','.join([_WRITERS[type(value)](value) for value in values])}]"


def _object(members: dict[str, Any]) -> str:
    ordered = [start + _WRITERS[type(value := members[name])](value) for name, start in _ordered(tuple(members))]
    return f"{{{','.join(ordered)}}}"


@lru_cache(maxsize=256)
def _ordered(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """The members of an object in their order, each with what stands before its value."""
    return [(name, f"{encode_basestring(name)}:") for name in in_order(names)]


def in_order(names: Iterable[str]) -> list[str]:
    """The names of an object's members as they are sorted: by their UTF-16 code units."""
    return sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))


_WRITERS: dict[type, Callable[[Any], str]] = {
    str: encode_basestring,
    int: number,
    float: number,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _: "null",
    list: _array,
    dict: _object,
}
