"""Everything that somebody may edit in a value of JSON, one edit at a time."""

import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from shardwater.search.canonical_json import canonical

WITHOUT_LAST = " without the last"
MOST_ALIKE = 1
"""Entries of a list that are edited."""

Plain = dict[str, Any]


@dataclass(frozen=True)
class Edit:
    """What changes a member: its path in words, where what holds it is, and the change of that."""

    path: str
    holder: tuple[Any, ...]
    change: Callable[[Any], object]

    def of(self, plain: Plain) -> Plain:
        """The edited result, of which all but the way to the member is what it was."""
        edited = _copied_along(plain, self.holder)
        self.change(_at(edited, self.holder))
        return edited

    def changes(self, plain: Plain, edited: Plain) -> bool:
        """Whether it is another result, to the byte."""
        return canonical(_at(plain, self.holder)) != canonical(_at(edited, self.holder))


def _at(value: Any, place: tuple[Any, ...]) -> Any:
    return _at(value[place[0]], place[1:]) if place else value


def _copied_along(value: Any, place: tuple[Any, ...]) -> Any:
    own = copy.copy(value)
    if place:
        own[place[0]] = _copied_along(value[place[0]], place[1:])
    return own


def values(old: Any) -> list[Any]:
    """What may stand in place of a value."""
    numbers = [10**400, -(10**400), 0, -1, math.nan, math.inf, 1e308]
    if isinstance(old, bool):
        return [not old]
    if isinstance(old, int | float):
        return [None, *numbers, old + 1, old * 1.000001, str(old)]
    if isinstance(old, str):
        return [None, "", f"{old}x", old[1:], "\ud800", "9" * 9 + "=", "9" * 99 + "I", "5=2D5=", "nobody", "none"]
    return [[], {}, "x", 7, 1.5] if old is None else [None]


def edits(value: Any, path: str = "", place: tuple[Any, ...] = ()) -> Iterator[Edit]:
    """Everything that is edited in a value of JSON and in all that is in it."""
    if place:
        yield from (_put(path, place, each) for each in values(value))
    if isinstance(value, dict):
        yield _put(f"{path}.more", (*place, "more"), 1)
        for name in value:
            inner = f"{path}.{name}" if path else name
            yield _removed(inner, (*place, name))
            yield from edits(value[name], inner, (*place, name))
    if isinstance(value, list):
        yield _put(path, place, value[::-1])
        yield _put(f"{path}{WITHOUT_LAST}", place, value[:-1])
        yield _put(path, place, value[1:])
        yield _put(path, place, [*value, *value[:1]])
        for number, each in enumerate(value[:MOST_ALIKE]):
            yield from edits(each, f"{path}.{number}", (*place, number))


def _put(path: str, place: tuple[Any, ...], value: Any) -> Edit:
    *holder, name = place
    return Edit(path, tuple(holder), lambda held: held.__setitem__(name, value))


def _removed(path: str, place: tuple[Any, ...]) -> Edit:
    *holder, name = place
    return Edit(path, tuple(holder), lambda held: held.__delitem__(name))
