"""Our own text of a PSSM: JSON, with nothing that its scores do not need."""

import json
from collections.abc import Iterator

import numpy as np

from shardwater.errors import ScoringError
from shardwater.formats.pssms.saved import SavedPssm
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import LETTERS
from shardwater.sequences.fasta import Record

_TEXTS = ("title", "sequence", "matrix", "letters")


def write_json(saved: SavedPssm) -> Iterator[str]:
    """The text, in parts: scores stand by position, in the order of `letters`."""
    query, scoring = saved.query, saved.scoring
    assert query.pssm is not None
    told = {
        "title": query.header,
        "sequence": query.residues.decode(),
        "matrix": scoring.matrix,
        "gap_open": scoring.gap_open,
        "gap_extend": scoring.gap_extend,
        "letters": LETTERS,
    }
    yield json.dumps(told, ensure_ascii=False).removesuffix("}") + ', "scores": [\n'
    yield ",\n".join(json.dumps(row) for row in query.pssm.scores.tolist()) + "\n]}\n"


def read_json(text: str) -> SavedPssm:
    """A PSSM with its query. Raises ScoringError."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise ScoringError("the text is no JSON") from None
    if not isinstance(told, dict) or not all(isinstance(told.get(name), str) for name in _TEXTS):
        raise ScoringError(f"a PSSM in JSON is an object with {', '.join(_TEXTS)} as text")
    if told["letters"] != LETTERS:
        raise ScoringError(f"letters are {LETTERS}, in this order")
    # What is no whole number is refused there.
    scoring = Scoring(told["matrix"], told.get("gap_open", ""), told.get("gap_extend", ""))
    rows = told.get("scores")
    if not isinstance(rows, list) or not all(_is_row(row) for row in rows):
        raise ScoringError(f"scores is a list of lists of {len(LETTERS)} whole numbers each, one for each position")
    scores = np.array(rows, np.int32).reshape(len(rows), len(LETTERS))
    query = told["sequence"].encode("ascii", "replace")
    if len(query) != len(rows) or not query.isalpha():
        raise ScoringError(f"the sequence has {len(query):,} letters for {len(rows):,} positions, or others than A-Z")
    return SavedPssm(Record(told["title"] or "query_1", query, pssm=Pssm(scores)), scoring)


def _is_row(row: object) -> bool:
    return (
        isinstance(row, list)
        and len(row) == len(LETTERS)
        and all(isinstance(score, int) and abs(score) < 1 << 31 for score in row)
    )
