"""What users see of many pairs at once: by columns, a list for each member of AlignedPair."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.scheme import Scheme
from shardwater.pairs.aligned import AlignedPair, Rows
from shardwater.pairs.batch import Joined, Numbers, PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS, Columns
from shardwater.pairs.replay import Replay, UnsoundAlignment
from shardwater.pairs.strands import chosen, turned_round
from shardwater.sequences.named import COMPLEMENTS

MEMBERS = tuple(field.name for field in fields(AlignedPair))
AT_ONCE = 1 << 17
"""Pairs of about so many letters are replayed together: as many as a cache holds."""
Told = dict[str, list[Any]]
_SAME, _POSITIVE, _OTHER = map(ord, "|+ ")


@dataclass(frozen=True)
class ToldPairs:
    """What users see of alignments, the rows of `columns`; worked out for all when the first is asked for.

    queries, subjects: names of the rows' pairs, in their order. letters: of these pairs as they were written; unused
    where report is `score`. turned (rows,): whose queries were aligned as their reverse complements.
    """

    queries: Sequence[str]
    subjects: Sequence[str]
    letters: PairBatch
    columns: Columns
    turned: npt.NDArray[np.bool_]
    scheme: Scheme
    report: Report

    def __post_init__(self) -> None:
        assert len(self.queries) == len(self.subjects) == self.columns.pairs

    def pair(self, row: int) -> AlignedPair:
        """One of them. Raises EngineError where any of them is not worth its score."""
        return AlignedPair(*(values[row] for values in self.all.values()))

    def rows(self, row: int) -> Rows:
        """The three rows of an alignment. There must be one, and report must be `alignment`.

        The midline shows `|` under the same letters, `+` under others that score above 0. Raises EngineError where the
        alignment is not worth its score.
        """
        first, last = self._batch_of(row)
        if first not in self._latest:
            replay = self._replayed(first, last)
            self._latest.clear()
            self._latest[first] = _Batch(_rows_of(replay), [0, *np.cumsum(replay.lengths).tolist()])
        return self._latest[first].row(row - first)

    def beginning(self, row: int, most: int) -> tuple[int, Rows]:
        """How many columns an alignment has, and its rows in the first ones, whose letters alone are read for that.

        As for `rows`; whether they are worth the score is looked at where these are all.
        """
        columns, pair = self.columns[row : row + 1], self._pair_of_row[row : row + 1]
        count = int((columns.row_runs >> KIND_BITS).sum())
        begun = _begun(columns, most)
        [[_, query_letters, _, subject_letters]] = begun.places.tolist()
        [[query_first, _, subject_first, _]] = columns.places.tolist()
        query, subject = self.letters.queries[pair[0]], self.letters.subjects[pair[0]][subject_first:][:subject_letters]
        if self.turned[row]:
            last = len(query) - query_first
            query = np.frombuffer(COMPLEMENTS, np.uint8)[query[max(0, last - query_letters) : last][::-1]]
        else:
            query = query[query_first:][:query_letters]
        letters = PairBatch(Joined.of([query]), Joined.of([subject]))
        with self._naming(pair):
            return count, _rows_of((Replay.of if count <= most else Replay.of_parts)(letters, begun, self.scheme))

    def ends(self, row: int) -> AlignedPair:
        """The same as `pair`, without what its columns would have to be looked at for."""
        return replace(self, report="ends").pair(row)

    @cached_property
    def all(self) -> Told:
        """All of them. Raises EngineError where an alignment is not worth its score."""
        known: Told = {
            "query": self._of_rows(self.queries),
            "subject": self._of_rows(self.subjects),
            "score": list(map(self.scheme.shown, self.columns.scores.tolist())),
            "strand": np.where(self.turned, "-", "+").tolist(),
            "rank": self.columns.ranks.tolist(),
        }
        if self.report != "score":
            known |= self._ends()
        if self.report == "alignment":
            known |= self._alignments()
        nothing = [None] * len(self.columns)
        return {name: known.get(name, nothing) for name in MEMBERS}

    def _ends(self) -> Told:
        first, last, *of_subject = self.columns.places.T.astype(np.int64)
        whole = self.letters.queries.lengths[self._pair_of_row]
        first, last = np.where(self.turned, whole - last, first), np.where(self.turned, whole - first, last)
        places = (first + 1, last, of_subject[0] + 1, of_subject[1])
        names = ("query_from", "query_to", "subject_from", "subject_to")
        return {name: self._where_found(each.tolist()) for name, each in zip(names, places, strict=True)}

    def _alignments(self) -> Told:
        told: Told = {name: [] for name in ("cigar", "identity", "positive", "gaps", "align_len")}
        for first, last in pairwise(self._batch_ends):
            replay = self._replayed(first, last)
            sums = [replay.sums(which) for which in (replay.identical, replay.positive, replay.gap)]
            lists: list[list[Any]] = [replay.cigars, *sums, replay.lengths]
            for name, values in zip(told, lists, strict=True):
                told[name] += values
        return {name: self._where_found(values) for name, values in told.items()}

    @cached_property
    def _batch_ends(self) -> list[int]:
        """The rows that are replayed together lie between two of these."""
        sizes = np.cumsum(self._as_aligned.lengths.sum(axis=0)[self._pair_of_row]) // AT_ONCE
        return [0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(self.columns)]

    def _batch_of(self, row: int) -> tuple[int, int]:
        number = bisect_right(self._batch_ends, row)
        return self._batch_ends[number - 1], self._batch_ends[number]

    @cached_property
    def _latest(self) -> "dict[int, _Batch]":
        """The last batch whose text was asked for, by its first row: rows are mostly read in order."""
        return {}

    def _replayed(self, first: int, last: int) -> Replay:
        pairs, letters = self._pair_of_row[first:last], self._as_aligned
        if len(letters) == len(self.columns):
            letters = letters[first:last]
        else:
            letters = PairBatch.of([letters[pair] for pair in pairs.tolist()])
        with self._naming(pairs):
            return Replay.of(letters, self.columns[first:last], self.scheme)

    @contextmanager
    def _naming(self, pairs: Numbers) -> Iterator[None]:
        """Name the sequences of an unsound alignment; pairs: of the rows that are replayed."""
        try:
            yield
        except UnsoundAlignment as error:
            pair = pairs[error.row]
            raise error.of_pair(self.queries[pair], self.subjects[pair]) from None

    @cached_property
    def _pair_of_row(self) -> Numbers:
        return np.cumsum(self.columns.begins) - 1

    def _of_rows(self, values: Sequence[str]) -> list[str]:
        if len(values) == len(self.columns):
            return list(values)
        return [values[pair] for pair in self._pair_of_row.tolist()]

    @cached_property
    def _as_aligned(self) -> PairBatch:
        if not self.turned.any():
            return self.letters
        complements = turned_round(self.letters.queries, np.frombuffer(COMPLEMENTS, np.uint8))
        turned = self.turned[self.columns.begins]
        return PairBatch(chosen(turned, complements, self.letters.queries), self.letters.subjects)

    def _where_found(self, values: list[Any]) -> list[Any]:
        found: Numbers | npt.NDArray[np.bool_] = self.columns.found
        if found.all():
            return values
        return [value if there else None for there, value in zip(found.tolist(), values, strict=True)]


@dataclass(frozen=True, slots=True)
class _Batch:
    """The three rows of several alignments, one alignment after another; ends: of each, in columns."""

    rows: Rows
    ends: list[int]

    def row(self, number: int) -> Rows:
        """The rows of one of them, by its number from 0."""
        first, last = self.ends[number : number + 2]
        return Rows(*(line[first:last] for line in (self.rows.query, self.rows.midline, self.rows.subject)))


def _rows_of(replay: Replay) -> Rows:
    """The three rows of all alignments of a replay, one alignment after another."""
    midline = np.where(replay.identical, _SAME, np.where(replay.positive, _POSITIVE, _OTHER)).astype(np.uint8)
    return Rows(*(line.tobytes().decode("ascii") for line in (replay.query, midline, replay.subject)))


def _begun(columns: Columns, most: int) -> Columns:
    """The first columns of the only alignment of some, so many at most, from letter 0 of both sequences on."""
    [[query_first, query_last, subject_first, subject_last]] = columns.places.tolist()
    words, spans = columns.row_runs, [query_last - query_first, subject_last - subject_first]
    behind = np.cumsum(words >> KIND_BITS, dtype=np.int64)
    if len(behind) and behind[-1] > most:
        runs = int(np.searchsorted(behind, most)) + 1
        words = words[:runs].copy()
        words[-1] -= (behind[runs - 1] - most) << KIND_BITS
        kinds, lengths = words & (1 << KIND_BITS) - 1, words >> KIND_BITS
        spans = [int(lengths[kinds != RUN_KINDS.index(out)].sum()) for out in "DI"]
    places = np.array([[0, spans[0], 0, spans[1]]])
    return replace(columns, places=places, firsts=np.array([0]), lasts=np.array([len(words)]), runs=words)
