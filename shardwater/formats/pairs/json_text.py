"""Pairs as JSON: one object with all of them, or a line each."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from shardwater.formats.pairs.layout import Layout
from shardwater.pairs.align import FoundPair
from shardwater.pairs.found import told_of
from shardwater.pairs.told import MEMBERS, Told

_OBJECT = "{" + ", ".join(f'"{name}": %s' for name in MEMBERS) + "}"
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
        for each in _objects(told):
            yield each + "\n"


def _objects(told: Told) -> Iterator[str]:
    """One filled form a pair: to have json.dumps make each takes several times as long."""
    return map(_OBJECT.__mod__, zip(*(_texts(values) for values in told.values()), strict=True))


def _texts(values: list[Any]) -> Iterable[str]:
    if values and values[0] is None and values.count(None) == len(values):
        return ["null"] * len(values)
    if all(type(value) is int for value in values):
        return map(str, values)
    return map(_text, values)
