"""What is wrong with what the kernels have found: sentences, none where all is right.

Nothing here uses what has computed it: alignments are scored again from their letters, costs from their recurrence.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from shardwater.alignment.ends import EndPoint, Selection
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.columns import Columns
from shardwater.pairs.replay import Replay, UnsoundAlignment
from shardwater.sequences.alphabet import Codes
from shardwater.ssca1.forms import Form
from shardwater.ssca1.kernels import APART, BEST, GAP, KEPT, MATCHES, Match, MatchSet, MultipleAlignment
from shardwater.ssca1.problem import Planted, Problem

SAMPLE = 5
"""Costs of each set that are computed again."""
MOST_CELLS = 1 << 24
"""Of a matrix that is computed again: those of scale 24."""


def check_ends(ends: Sequence[EndPoint], selection: Selection = BEST) -> Iterator[str]:
    """Of kernel 1, or of one query of kernel 3: their order, and how far they are apart.

    Their alignments show whether their scores are right.
    """
    if list(ends) != sorted(ends, key=_rank):
        yield "the end points are not in order"
    if len(ends) > selection.count or any(end.score < selection.least for end in ends):
        yield "there are more end points than asked for, or worse ones"
    rows, columns = sorted(end.row for end in ends), sorted(end.column for end in ends)
    for lines, apart in zip((rows, columns), selection.apart, strict=True):
        if any(after - before < apart for before, after in pairwise(lines)):
            yield "two end points are too close"


def check_whole(ends: Sequence[EndPoint], query: Codes, subject: Codes, form: Form) -> Iterator[str]:
    """Of kernel 1: that no end point is missing, by all cells of the matrix, where these are MOST_CELLS at most.

    A cell that was left out is close to a better one that was taken.
    """
    if len(query) * len(subject) > MOST_CELLS:
        return
    is_full = len(ends) == BEST.count
    least = ends[-1].score if is_full else BEST.least
    taken, places = set(ends), np.array([(end.row, end.column) for end in ends]).reshape(-1, 2)
    for row, h in enumerate(_rows(query, subject, form.scheme), start=1):
        for column in np.flatnonzero(h >= least).tolist():
            cell = EndPoint(int(h[column]), row, column + 1)
            if cell in taken or (is_full and _rank(cell) > _rank(ends[-1])):
                continue
            near = (np.abs(places - (cell.row, cell.column)) < BEST.apart).any(axis=1)
            if not any(_rank(ends[number]) < _rank(cell) for number in np.flatnonzero(near).tolist()):
                yield f"the end point in row {cell.row} and column {cell.column} is missing"


def _rank(end: EndPoint) -> tuple[int, int, int]:
    return -end.score, end.row, end.column


def _rows(query: Codes, subject: Codes, scheme: Scheme) -> Iterator[npt.NDArray[np.int64]]:
    """H of each row, by the scan of Khajeh-Saeed, Poole and Perot (2010), in plain numbers."""
    scores, ramp = scheme.table.scores.astype(np.int64), scheme.gap_extend * np.arange(len(subject) + 1)
    above, down = np.zeros(len(subject) + 1, np.int64), np.full(len(subject) + 1, -MOST_CELLS)
    for letter in query.tolist():
        down = np.maximum(down, above - scheme.gap_open) - scheme.gap_extend
        h = np.maximum(down, 0)
        h[1:] = np.maximum(h[1:], above[:-1] + scores[letter, subject])
        along = np.maximum.accumulate(h + ramp)
        h[1:] = np.maximum(h[1:], along[:-1] - ramp[1:] - scheme.gap_open)
        above = h
        yield h[1:]


def check_ending(matches: Sequence[Match], ends: Sequence[EndPoint]) -> Iterator[str]:
    """Of kernel 2, or of one query of kernel 3: that each alignment ends in one of these, in order, with its score."""
    found = [(each.alignment.score, each.alignment.query_end, each.alignment.subject_end) for each in matches]
    if found != list(map(tuple, ends)):
        yield "the alignments do not end in the end points"


def check_distinct(matches: Sequence[Match], every: Sequence[Match]) -> Iterator[str]:
    """Of kernel 2, or of one query of kernel 3: that those are told of all which begin apart, the best first."""
    expected, starts = list[Match](), np.zeros((0, 2), np.int64)
    for match in every:
        start = np.array([match.alignment.query_start, match.alignment.subject_start])
        if len(expected) < KEPT and not (np.abs(starts - start).max(axis=1, initial=0) < APART).any():
            expected.append(match)
            starts = np.vstack((starts, start))
    if [each.alignment for each in matches] != [each.alignment for each in expected]:
        yield "those told are not the best of all that begin apart"


def check_matches(matches: Sequence[Match], query: Codes, subject: Codes, form: Form) -> Iterator[str]:
    """Of kernel 2, or of one query of kernel 3: their order, and that each is worth its score."""
    scores = [match.alignment.score for match in matches]
    if scores != sorted(scores, reverse=True):
        yield "alignments are not in order"
    try:
        _replay(matches, form.scheme)
    except UnsoundAlignment as error:
        yield f"alignment {error.row}: {error}"
    for number, match in enumerate(matches):
        found = match.alignment
        if not (
            np.array_equal(match.query, query[found.query_start : found.query_end])
            and np.array_equal(match.subject, subject[found.subject_start : found.subject_end])
        ):
            yield f"alignment {number} is not of these sequences"


def _replay(matches: Sequence[Match], scheme: Scheme) -> None:
    """Raise UnsoundAlignment where one is not worth its score by its letters."""
    letters = np.frombuffer(scheme.table.alphabet.letters.encode(), np.uint8)
    sides = [[letters[match.query] for match in matches], [letters[match.subject] for match in matches]]
    batch = PairBatch(*map(Joined.of, sides))
    wholes = [
        replace(
            match.alignment, query_start=0, query_end=len(match.query), subject_start=0, subject_end=len(match.subject)
        )
        for match in matches
    ]
    Replay.of(batch, Columns.of(list(enumerate(wholes)), batch.lengths, scheme.mode.local), scheme)


def check_planted(matches: Sequence[Match], problem: Problem) -> Iterator[str]:
    """Of kernel 2: that all that was planted was found, where it is."""
    for planted in problem.planted:
        if not any(_holds(match, planted, problem.form) for match in matches):
            yield f"{planted.query} was not found"


def _holds(match: Match, planted: Planted, form: Form) -> bool:
    found = match.alignment
    return (
        found.score >= planted.score
        and found.query_start <= planted.query_start
        and found.subject_start <= planted.subject_start
        and planted.query in form.translate(match.query)
        and planted.subject in form.translate(match.subject)
    )


def check_matches_of_all(
    sets: Sequence[MatchSet], queries: Sequence[Match], subject: Codes, form: Form
) -> Iterator[str]:
    """Of kernel 3: each set by itself, and that what a query was found by is among them, or better."""
    if len(sets) != len(queries):
        yield f"{len(sets)} sets of {len(queries)} queries"
    for number, (found, query) in enumerate(zip(sets, queries, strict=False)):
        checks = (
            check_ends(found.ends, MATCHES),
            check_ending(found.every, found.ends),
            check_matches(found.told, query.query, subject, form),
            check_distinct(found.told, found.every),
        )
        yield from (f"query {number}: {fault}" for check in checks for fault in check)
        if not found.told or found.told[0].alignment.score < query.alignment.score:
            yield f"query {number}: the alignment that it comes from was not found"


def check_costs(number: int, sequences: Sequence[Codes], costs: npt.NDArray[np.int64]) -> Iterator[str]:
    """Of kernel 4, of one set by its number: a sample of them by the recurrence itself, another one for each set."""
    rng, size = np.random.default_rng(number), len(sequences)
    for _ in range(SAMPLE if size > 1 else 0):
        one, other = rng.choice(size, 2, replace=False).tolist()
        if costs[one, other] != difference(sequences[one].tolist(), sequences[other].tolist()):
            yield f"the cost of {one} and {other} is not right"


def check_alignment(
    sequences: Sequence[Codes], costs: npt.NDArray[np.int64], found: MultipleAlignment
) -> Iterator[str]:
    """Of kernel 5, of one set: that its rows are the sequences, along a centre that has the least sum of costs."""
    if costs[found.centre].sum() != costs.sum(axis=0).min():
        yield "another sequence costs less than the centre"
    if len(found.rows) != len(sequences) or not all(
        np.array_equal(row[row != GAP], sequence) for row, sequence in zip(found.rows, sequences, strict=False)
    ):
        yield "the rows without their gaps are not the sequences"
        return
    if (found.rows == GAP).all(axis=0).any():
        yield "a column has nothing but gaps"
    centre, gaps = found.rows[found.centre], found.rows == GAP
    # A column costs nothing where both have a gap.
    along = np.where(gaps ^ gaps[found.centre], 2, (found.rows != centre) & ~gaps).sum(axis=1)
    if (along != costs[found.centre]).any():
        yield "a row is not along the centre at its cost"


def difference(one: Sequence[int], other: Sequence[int]) -> int:
    """What two sequences differ by: 1 for each letter, 2 for one that only one of them has."""
    above = [2 * column for column in range(len(other) + 1)]
    for row, letter in enumerate(one, start=1):
        below = [2 * row]
        for column, opposite in enumerate(other, start=1):
            below.append(min(above[column - 1] + (letter != opposite), above[column] + 2, below[-1] + 2))
        above = below
    return above[-1]


def several(faults: Iterable[Iterable[str]]) -> Iterator[str]:
    """Those of several sets, with the number of each."""
    for number, each in enumerate(faults):
        yield from (f"set {number}: {fault}" for fault in each)
