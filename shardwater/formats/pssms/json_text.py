"""Our own text of a PSSM: JSON, with nothing that its scores do not need."""

import json
from collections.abc import Iterator
from itertools import chain

import numpy as np

from shardwater.errors import ScoringError
from shardwater.formats.pssms.saved import SavedPssm, query_of
from shardwater.scoring.pssm import MOST_PSSM, Pssm
from shardwater.scoring.scoring import Scores
from shardwater.sequences.alphabet import LETTERS

MOST_PARTS = 250_000
"""Quotes and brackets of a PSSM, at most: more of them would take long to read, and gigabytes."""
_TEXTS = ("title", "sequence", "matrix", "letters")
_COSTS = ("gap_open", "gap_extend")


def write_json(saved: SavedPssm) -> Iterator[str]:
    """The text, in parts: scores stand by position, in the order of `letters`."""
    query = saved.query
    assert query.pssm is not None
    told = {
        "title": query.header,
        "sequence": query.residues.decode(),
        "matrix": saved.matrix,
        "gap_open": saved.gap_open,
        "gap_extend": saved.gap_extend,
        "letters": LETTERS,
    }
    yield json.dumps(told, ensure_ascii=False).removesuffix("}") + ', "scores": [\n'
    rows = json.dumps(query.pssm.scores.tolist(), separators=(",", ":"))
    yield rows[1:-1].replace("],[", "],\n[") + "\n]}\n"


def read_json(text: str) -> SavedPssm:
    """A PSSM with its query. Raises ScoringError."""
    if sum(map(text.count, '"[{')) > MOST_PARTS:
        raise ScoringError("the text has more strings and lists than a PSSM in JSON")
    try:
        told, end = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        raise ScoringError("the text is no JSON") from None
    if text.lstrip()[end:].strip():
        raise ScoringError("there is more behind the PSSM, as where several stand in one file: give one")
    if not isinstance(told, dict) or not all(isinstance(told.get(name), str) for name in _TEXTS):
        raise ScoringError(f"a PSSM in JSON is an object with {', '.join(_TEXTS)} as text")
    if told["letters"] != LETTERS:
        raise ScoringError(f"letters are {LETTERS}, in this order")
    if any(type(told.get(name)) is not int for name in _COSTS):
        raise ScoringError(f"{' and '.join(_COSTS)} are whole numbers")
    query = query_of(told["title"], told["sequence"], Pssm(_scores(told.get("scores"))))
    return SavedPssm(query, told["matrix"], told["gap_open"], told["gap_extend"])


def _scores(rows: object) -> Scores:
    if (
        not isinstance(rows, list)
        or not all(isinstance(row, list) and len(row) == len(LETTERS) for row in rows)
        or not set(map(type, chain.from_iterable(rows))) <= {int}
    ):
        raise ScoringError(f"scores is a list of lists of {len(LETTERS)} whole numbers each, one for each position")
    # Before they are in an array, which larger numbers have no place in.
    if rows and max(*map(max, rows), -min(map(min, rows))) > MOST_PSSM:
        raise ScoringError(f"a score is further from 0 than {MOST_PSSM}")
    return np.array(rows, np.int32).reshape(len(rows), len(LETTERS))
