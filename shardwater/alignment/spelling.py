"""Sequences and scores as parasail takes them: letters from A on, in place of codes."""

import ctypes
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from shardwater.alignment.scheme import Places
from shardwater.scoring.scoring import Scores
from shardwater.scoring.table import Table
from shardwater.sequences.alphabet import Codes

try:
    import parasail
except ModuleNotFoundError:  # it has wheels for x86-64 alone
    parasail = None

MOST_LETTERS = 26
"""Letters that parasail tells apart."""
_SPELLED = np.frombuffer(bytes(range(ord("A"), ord("A") + MOST_LETTERS)), np.uint8)

_LETTERS = bytes((code + ord("A")) % 256 for code in range(256))


def spelled(codes: Places) -> bytes:
    """A sequence, of whose letters these are the codes, each below MOST_LETTERS."""
    # Ten times as fast as to look each up in an array.
    return codes.astype(np.uint8, copy=False).tobytes().translate(_LETTERS)


def unspelled(letters: bytes) -> Codes:
    """The codes of a spelled sequence."""
    codes: Codes = np.frombuffer(letters, np.uint8) - _SPELLED[0]
    return codes


@lru_cache(maxsize=16)
def matrix(table: Table) -> Any:
    """A table as parasail looks it up: by the letter of its second sequence, then by that of its first."""
    return _made(table.rows)


@lru_cache(maxsize=16)
def turned(table: Table) -> Any:
    """The same for calls with the query first; a table need not be symmetric."""
    return _made(tuple(zip(*table.rows, strict=True)))


def of_places(scores: Scores) -> Any:
    """For calls with a query first that has scores by position, int32 (positions, letters): at least one.

    The query's letters are not looked at; it must be as long.
    """
    values = np.ascontiguousarray(scores, np.intc)
    letters = _SPELLED[: values.shape[1]].tobytes()
    return parasail.Matrix(_pssm_create()(letters, values.ctypes.data_as(parasail.c_int_p), len(values)))


@cache
def _pssm_create() -> Any:
    """parasail_matrix_pssm_create of its library, for which its package has no name."""
    create = ctypes.CDLL(parasail.get_library()).parasail_matrix_pssm_create
    create.argtypes, create.restype = [ctypes.c_char_p, parasail.c_int_p, ctypes.c_int], parasail.c_matrix_p
    return create


def _made(rows: Sequence[Sequence[int]]) -> Any:
    """Scores by the codes of letters, spelled as letters that parasail takes as they are."""
    made = parasail.matrix_create(_SPELLED[: len(rows)].tobytes().decode(), 0, 0)
    for row, scores in enumerate(rows):
        for column, score in enumerate(scores):
            made.set_value(row, column, score)
    return made
