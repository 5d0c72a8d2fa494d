"""Pairs as JSON: one object with all of them, or a line each."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields

from shardwater.formats.pairs.layout import Layout
from shardwater.pairs.align import FoundPair
from shardwater.pairs.aligned import AlignedPair

_MEMBERS = [field.name for field in fields(AlignedPair)]


def write_json(pairs: Iterable[FoundPair], layout: Layout) -> Iterator[str]:
    """`{"alignments": [...]}`, a line a pair; unfinished text is no JSON."""
    yield json.dumps({**layout.head, "alignments": []})[:-2]
    between = "\n"
    for pair in pairs:
        yield between + _object(pair.told)
        between = ",\n"
    yield "\n]}\n"


def write_ndjson(pairs: Iterable[FoundPair], _: Layout) -> Iterator[str]:
    """An object a line."""
    for pair in pairs:
        yield _object(pair.told) + "\n"


def _object(told: AlignedPair) -> str:
    return json.dumps({name: getattr(told, name) for name in _MEMBERS})
