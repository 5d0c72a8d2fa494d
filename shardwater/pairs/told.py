"""What users see of many pairs at once: by columns, a list for each member of AlignedPair."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.scheme import Scheme
from shardwater.pairs.aligned import AlignedPair, Rows
from shardwater.pairs.batch import Numbers, PairBatch
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns
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
        replay = self._replayed(row, row + 1)
        midline = np.where(replay.identical, _SAME, np.where(replay.positive, _POSITIVE, _OTHER)).astype(np.uint8)
        return Rows(*(line.tobytes().decode("ascii") for line in (replay.query, midline, replay.subject)))

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
        sizes = np.cumsum(self._as_aligned.lengths.sum(axis=0)[self._pair_of_row]) // AT_ONCE
        ends = [0, *(np.flatnonzero(np.diff(sizes)) + 1).tolist(), len(self.columns)]
        told: Told = {name: [] for name in ("cigar", "identity", "positive", "gaps", "align_len")}
        for first, last in pairwise(ends):
            replay = self._replayed(first, last)
            sums = [replay.sums(which) for which in (replay.identical, replay.positive, replay.gap)]
            lists: list[list[Any]] = [replay.cigars, *sums, replay.lengths]
            for name, values in zip(told, lists, strict=True):
                told[name] += values
        return {name: self._where_found(values) for name, values in told.items()}

    def _replayed(self, first: int, last: int) -> Replay:
        pairs, letters = self._pair_of_row[first:last], self._as_aligned
        if len(letters) == len(self.columns):
            letters = letters[first:last]
        else:
            letters = PairBatch.of([letters[pair] for pair in pairs.tolist()])
        try:
            return Replay.of(letters, self.columns[first:last], self.scheme)
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
