"""HSPs or alignments of genomes as JSON: one object with all of them, or a line each."""

import json
from collections.abc import Iterable, Iterator

from shardwater.formats.genomes.layout import Layout, Listed
from shardwater.formats.genomes.members import MEMBERS, Members
from shardwater.formats.genomes.text_cells import Cell, Choices, rows_text


def write_json(listed: Listed, layout: Layout) -> Iterator[str | bytes]:
    """`{"hsps": [...]}`, a line each; unfinished text is no JSON."""
    yield json.dumps({**layout.head, "hsps": []})[:-2]
    skipped = 1
    for text in _objects(listed, b",\n", b""):
        # Before the first there is no comma.
        yield text[skipped:]
        skipped = 0
    yield "\n]}\n"


def write_ndjson(listed: Listed, _: Layout) -> Iterator[str | bytes]:
    """An object a line."""
    yield from _objects(listed, b"", b"\n")


def _objects(listed: Listed, before: bytes, after: bytes) -> Iterator[bytes]:
    names = (Choices.of(map(_text, genome.names)) for genome in (listed.query, listed.subject))
    for count, known in Members(listed, *names).blocks(MEMBERS):
        cells: list[Cell] = [before + b"{"]
        for number, name in enumerate(MEMBERS):
            cells += [(b", " if number else b"") + _text(name) + b": ", *_value(name, known.get(name))]
        yield rows_text([*cells, b"}" + after], count)


def _text(text: str) -> bytes:
    return json.dumps(text).encode()


def _value(name: str, cell: Cell | None) -> Iterable[Cell]:
    """Names are quoted already."""
    if cell is None:
        return (b"null",)
    return (b'"', cell, b'"') if name in ("strand", "cigar") else (cell,)
