"""Pairs as JSON: one object with all of them, or a line each."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields

from shardwater.formats.pairs.answer import Answer, Layout
from shardwater.pairs.aligned import AlignedPair

_MEMBERS = [field.name for field in fields(AlignedPair)]


def write_json(answers: Iterable[Answer], layout: Layout) -> Iterator[str]:
    """`{"alignments": [...]}`, a line a pair; unfinished text is no JSON."""
    yield '{"alignments": ['
    between = "\n"
    for answer in answers:
        yield between + _object(layout.pair(answer))
        between = ",\n"
    yield "\n]}\n"


def write_ndjson(answers: Iterable[Answer], layout: Layout) -> Iterator[str]:
    """An object a line."""
    for answer in answers:
        yield _object(layout.pair(answer)) + "\n"


def _object(pair: AlignedPair) -> str:
    return json.dumps({name: getattr(pair, name) for name in _MEMBERS})
