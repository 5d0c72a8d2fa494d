"""Pairs as JSON: one object with all of them, or a line each."""

import json
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

from shardwater.formats.pairs.layout import Layout
from shardwater.pairs.align import FoundPair
from shardwater.pairs.found import told_of
from shardwater.pairs.told import Told

_text = json.JSONEncoder().encode


def write_json(pairs: Iterable[FoundPair], layout: Layout) -> Iterator[str]:
    """`{"alignments": [...]}`, a line a pair; unfinished text is no JSON."""
    yield json.dumps({**layout.head, "alignments": []})[:-2]
    between = "\n"
    for told in told_of(pairs):
        for each in _objects(told):
            yield between + each
            between = ",\n"
    yield "\n]}\n"


def write_ndjson(pairs: Iterable[FoundPair], _: Layout) -> Iterator[str]:
    """An object a line."""
    for told in told_of(pairs):
        yield from _objects(told, "\n")


def _objects(told: Told, after: str = "") -> Iterator[str]:
    """A form a pair, filled, and what comes after it; what all have stands in it.

    To have json.dumps make each takes several times as long.
    """
    members, columns = list[str](), list[Iterable[Any]]()
    count = len(told["query"])
    for name, values in told.items():
        shared = _shared(values)
        if shared is None:
            columns.append(_texts(values))
        members.append(f'"{name}": {"%s" if shared is None else shared}')
    form = "{" + ", ".join(members) + "}" + after
    # Without a column there is one object, or all are the same.
    return map(form.__mod__, zip(*columns, strict=True)) if columns else repeat(form % (), count)


def _shared(values: list[Any]) -> str | None:
    """The text that all of them have, for a form; None where they differ, if only by their kind."""
    if values and values.count(values[0]) == len(values) and len(set(map(type, values))) == 1:
        return _text(values[0]).replace("%", "%%")
    return None


def _texts(values: list[Any]) -> Iterable[Any]:
    """What stands in a form: an int as it is, since that is how it is written."""
    return values if set(map(type, values)) == {int} else map(_text, values)
