"""Other programs that align pairs on a processor's core, those of them that are installed: for benchmarks/pairs.py.

parasail by its scan kernels, in as few bits as do; edlib, which counts edits and knows no other costs; WFA2 (pywfa),
whose penalties are those of the scheme turned round. With a match worth a, penalties of 2 a - 2 mismatch, 2 open and
2 extend + a make a cost, and the score is half of what a * letters is more than that.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import Report
from shardwater.sequences.alphabets import BASES

Aligned = Callable[[str, str], int | None]
"""What aligns a query and a subject, by letters: their score, where it is that of the scheme."""
_PARASAIL = {Mode.LOCAL: "sw", Mode.GLOBAL: "nw", Mode.SEMI_GLOBAL: "sg"}


@dataclass(frozen=True)
class Program:
    """Its name, and what aligns a pair by it."""

    name: str
    align: Aligned


def programs(scheme: Scheme, report: Report) -> Iterator[Program]:
    """Those that have the mode; `ends` is nobody's own."""
    for name, made in (("parasail", _parasail), ("WFA2", _wfa), ("edlib (edits)", _edlib)):
        try:
            align = made(scheme, report)
        except ModuleNotFoundError:
            continue
        if align is not None:
            yield Program(name, align)


def letters(pairs: PairBatch, most: int) -> list[tuple[str, str]]:
    """The first pairs, so many at most, as text."""
    spelled = BASES.encode()
    table = bytes.maketrans(bytes(range(len(spelled))), spelled)
    return [
        (pair.query.tobytes().translate(table).decode(), pair.subject.tobytes().translate(table).decode())
        for pair in (pairs[number] for number in range(min(most, len(pairs))))
    ]


def _parasail(scheme: Scheme, report: Report) -> Aligned | None:
    parasail: Any = import_module("parasail")
    kind = _PARASAIL[scheme.mode]
    function = getattr(parasail, f"{kind}{'' if report == 'score' else '_trace'}_scan_sat")
    scores = scheme.table.scores
    matrix = parasail.matrix_create(BASES, int(scores[0, 0]), int(scores[0, 1]))
    costs = scheme.gap_first, scheme.gap_extend

    def align(query: str, subject: str) -> int:
        found = function(query, subject, *costs, matrix)
        if report != "score":
            assert found.cigar.len
        score: int = found.score
        return score

    return align


def _wfa(scheme: Scheme, report: Report) -> Aligned | None:
    pywfa: Any = import_module("pywfa")
    if scheme.mode != Mode.GLOBAL:
        return None
    match, mismatch = int(scheme.table.scores[0, 0]), int(scheme.table.scores[0, 1])
    aligner = pywfa.WavefrontAligner(
        distance="affine",
        match=0,
        mismatch=2 * (match - mismatch),
        gap_opening=2 * scheme.gap_open,
        gap_extension=2 * scheme.gap_extend + match,
        span="end-to-end",
        scope="score" if report == "score" else "full",
        heuristic=None,
    )

    def align(query: str, subject: str) -> int:
        found = aligner(query, subject)
        cost: int = getattr(found, "score", found)
        return (match * (len(query) + len(subject)) + cost) // 2

    return align


def _edlib(scheme: Scheme, report: Report) -> Aligned | None:
    edlib: Any = import_module("edlib")
    if scheme.mode != Mode.GLOBAL:
        return None
    task = "distance" if report == "score" else "path"

    def align(query: str, subject: str) -> None:
        edlib.align(query, subject, mode="NW", task=task)

    return align
