"""The five kernels: local alignments of two long sequences, and what follows from the best of them.

Source: Bader, Madduri, Gilbert et al., Designing Scalable Synthetic Compact Applications for Benchmarking High
Productivity Computing Systems, CTWatch Quarterly 2 (2006), and its written specification of SSCA#1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import EndPoint, Selection
from shardwater.alignment.gotoh import align_batch, score_batch
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.end_points import EndPointEngine
from shardwater.sequences.alphabet import Codes
from shardwater.ssca1.forms import Form
from shardwater.steps import finish

KEPT = 100
"""Alignments of kernel 2 that are told, and of each query of kernel 3."""
APART = 5
"""Alignments that begin closer to each other, in both sequences, are one."""
BEST = Selection(2 * KEPT, least=20, query_apart=APART, subject_apart=APART)
MATCHES = Selection(2 * KEPT, least=10, subject_apart=APART)
"""End points of kernel 1 and of kernel 3, whose queries have no room for rows between them."""
GAP = -1
"""In a row of a multiple alignment."""
Rows = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Match:
    """An alignment, and the letters of both sequences in it, without gaps."""

    alignment: Alignment
    query: Codes
    subject: Codes


@dataclass(frozen=True, slots=True)
class MultipleAlignment:
    """Sequences below each other, GAP where one has no letter, and the number of the one that is the centre."""

    rows: Rows
    centre: int


def find_ends(pair: CodedPair, form: Form, engine: EndPointEngine) -> list[EndPoint]:
    """Kernel 1: where the best local alignments end, best first."""
    [ends] = finish(engine.find([pair], form.scheme, BEST))
    return ends.points


def align(pair: CodedPair, ends: Sequence[EndPoint], form: Form, engine: EndPointEngine) -> list[Match]:
    """Kernel 2: the alignments that end there."""
    [matches] = _align([pair], [ends], form, engine)
    return matches


def _align(
    pairs: Sequence[CodedPair], ends: Sequence[Sequence[EndPoint]], form: Form, engine: EndPointEngine
) -> list[list[Match]]:
    return [
        [
            Match(
                each, pair.query[each.query_start : each.query_end], pair.subject[each.subject_start : each.subject_end]
            )
            for each in alignments
        ]
        for pair, alignments in zip(pairs, finish(engine.align(pairs, form.scheme, ends)), strict=True)
    ]


def distinct(matches: Sequence[Match]) -> list[Match]:
    """Then the best KEPT of those that begin apart."""
    # No two of those kept begin in the same square of APART x APART cells.
    kept, starts = list[Match](), dict[tuple[int, int], tuple[int, int]]()
    for match in matches:
        start = match.alignment.query_start, match.alignment.subject_start
        row, column = (place // APART for place in start)
        beside = (starts.get((row + i, column + j)) for i in (-1, 0, 1) for j in (-1, 0, 1))
        if not any(_near(start, other) for other in beside if other is not None):
            starts[row, column] = start
            kept.append(match)
            if len(kept) == KEPT:
                break
    return kept


def _near(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) < APART


@dataclass(frozen=True, slots=True)
class MatchSet:
    """What kernel 3 finds of a query: end points in the subject, an alignment to each, and those that are told."""

    ends: list[EndPoint]
    every: list[Match]
    told: list[Match]


def match_all(matches: Sequence[Match], subject: Codes, form: Form, engine: EndPointEngine) -> list[MatchSet]:
    """Kernel 3: of the query's part of each of these, the best matches in the whole subject."""
    pairs = [CodedPair(each.query, subject) for each in matches]
    ends = [each.points for each in finish(engine.find(pairs, form.scheme, MATCHES))]
    aligned = _align(pairs, ends, form, engine)
    return [MatchSet(points, every, distinct(every)) for points, every in zip(ends, aligned, strict=True)]


def compare(sequences: Sequence[Codes], form: Form) -> npt.NDArray[np.int64]:
    """Kernel 4: what each two of some sequences differ by, (sequences, sequences)."""
    found = np.zeros((len(sequences), len(sequences)), np.int64)
    for number, sequence in enumerate(sequences[:-1]):
        *_, scores = score_batch(sequence, sequences[number + 1 :], form.distance)
        found[number, number + 1 :] = -scores
    return found + found.T


def combine(sequences: Sequence[Codes], costs: npt.NDArray[np.int64], form: Form) -> MultipleAlignment:
    """Kernel 5: all sequences along the one with the least sum of costs, the first of several.

    Each is aligned with it from end to end; a gap that one of them opens in it stays for all.
    """
    centre = int(costs.sum(axis=0).argmin())
    along = sequences[centre]
    # One of whole sequences is never missing.
    aligned = [each for each in align_batch(along, sequences, form.distance) if each is not None]
    # Letters that come before each of the centre's, and behind its last one: as many as the alignment with most has.
    before = np.max([_inserted(each, len(along)) for each in aligned], axis=0)
    return MultipleAlignment(
        np.stack([_row(each, sequence, before) for each, sequence in zip(aligned, sequences, strict=True)]), centre
    )


def _inserted(alignment: Alignment, length: int) -> npt.NDArray[np.int64]:
    """Letters of the other sequence that stand before each one of the centre, and behind the last one."""
    inserted, place = np.zeros(length + 1, np.int64), 0
    for run in alignment.runs:
        if run.kind == "D":
            inserted[place] += run.length
        else:
            place += run.length
    return inserted


def _row(alignment: Alignment, sequence: Codes, before: npt.NDArray[np.int64]) -> Rows:
    columns = np.cumsum(before) + np.arange(len(before))
    row = np.full(int(columns[-1]), GAP, np.int16)
    place = taken = 0
    for run in alignment.runs:
        letters = sequence[taken : taken + run.length]
        if run.kind == "M":
            row[columns[place : place + run.length]] = letters
        elif run.kind == "D":
            # Insertions of all begin at the left of their room.
            first = columns[place] - before[place]
            row[first : first + run.length] = letters
        place += run.length if run.kind != "D" else 0
        taken += run.length if run.kind != "I" else 0
    return row
