"""The alignments of hits, made and checked: of each its best and, where more may be reported, the best of what is left.

In rounds: each aligns all subjects that may have one more.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

import numpy as np

from shardwater.alignment.alignment import Alignment, Paths, aligned_rows
from shardwater.alignment.taken import share_pairs
from shardwater.engines.engine import Engine, Pair
from shardwater.errors import EngineError
from shardwater.pairs.columns import Columns, Progress
from shardwater.scoring.scoring import Scoring
from shardwater.search.alignments import check_within, check_worth, lacks_alignment, made
from shardwater.search.further import Likely
from shardwater.search.hits import Hsp, hsp
from shardwater.search.parameters import Parameters
from shardwater.search.remains import AlignedQuery, Remains, remains_of
from shardwater.search.repeats import KnownRepeats
from shardwater.search.step import Step, Steps
from shardwater.sequences.fasta import Record
from shardwater.steps import mapped

EXPECTED_ROUNDS = 2
"""Alignments of a hit that estimates count: whether there are more, only they tell."""
Place = tuple[int, int]
"""A query and a subject, by their numbers."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Subjects that are to be aligned with a query, each with the score that its best alignment has.

    number: the query's; likely: which alignments after the best may be reported.
    """

    number: int
    record: Record
    parameters: Parameters
    subjects: Sequence[int]
    sequences: Sequence[bytes]
    scores: Sequence[int]
    likely: Likely

    @property
    def pairs(self) -> list[Pair]:
        """The query with each subject."""
        return [Pair(self.record.residues, sequence, self.record.pssm) for sequence in self.sequences]

    def to_be_aligned(self) -> "list[Aligned]":
        """Its subjects, before anything is known of their alignments."""
        each = zip(self.subjects, self.pairs, self.scores, strict=True)
        return [Aligned(self, subject, pair, score) for subject, pair, score in each]


@dataclass(slots=True)
class Aligned:
    """A subject that is wanted of a query, and what was found: its alignments, best first, and what is left of each.

    unseen: what no alignment scores more than that is asked for and may be missing; 0 where none is.
    """

    wanted: Wanted
    subject: int
    pair: Pair
    score: int
    alignments: list[Alignment] = field(default_factory=list)
    hsps: list[Hsp] = field(default_factory=list)
    remains: list[Remains | None] = field(default_factory=list)
    unseen: int = 0

    @property
    def place(self) -> Place:
        """The query and the subject, by their numbers."""
        return self.wanted.number, self.subject

    @property
    def next(self) -> Pair:
        """The pair with what is taken of it."""
        return replace(self.pair, taken=tuple(self.alignments)) if self.alignments else self.pair


def trace_hits(engine: Engine, wanted: Sequence[Wanted], scoring: Scoring, share: float) -> Steps[list[Aligned]]:
    """The alignments of all, which are such a share of a search, without their texts.

    Raises EngineError for what is no alignment.
    """
    found = [each for one in wanted for each in one.to_be_aligned()]
    left, rounds = found, 0
    while left:
        # How many rounds there will be nobody knows: each of them, but for the last, is half of what is left.
        part = share / 2 if any(len(each.alignments) < each.wanted.parameters.further for each in left) else share
        share -= part
        aligning, rounds = align_each(engine, [each.next for each in left], scoring, part), rounds + 1
        columns = yield from mapped(aligning, _told_as_further) if rounds > EXPECTED_ROUNDS else aligning
        having = yield from _checked(left, [alignment for _, alignment in columns])
        left = _with_more(having)
        # Their pairs of letters are taken from the next one.
        _check_lies(left)
    if found:
        yield Step(aligned=share)
    return found


def trace_paths(engine: Engine, wanted: Sequence[Wanted], scoring: Scoring, share: float) -> Steps[list[Columns]]:
    """The best alignment of each alone, which are such a share of a search: for each query a row of each subject.

    Raises EngineError where a subject has none.
    """
    columns = yield from align_each(engine, [pair for one in wanted for pair in one.pairs], scoring, share)
    lacking = np.flatnonzero(~columns.found | (columns.lasts == columns.firsts))
    if len(lacking):
        places = [(one.number, subject) for one in wanted for subject in one.subjects]
        raise lacks_alignment(places[lacking[0]])
    ends = np.cumsum([len(one.subjects) for one in wanted]).tolist()
    return [columns[first:end] for first, end in pairwise([0, *ends])]


def _told_as_further(step: Step) -> Step:
    return Step(further=step.aligned)


def align_each(engine: Engine, pairs: Sequence[Pair], scoring: Scoring, share: float) -> Steps[Columns]:
    """One more alignment of each, a row of each in their order; they are such a share of a search."""
    total, progress = max(1, sum(len(pair.query) * len(pair.subject) for pair in pairs)), Progress()
    parts = []
    with closing(engine.align(pairs, scoring)) as found:
        for each in found:
            if len(each):
                parts.append(each)
            yield Step(aligned=share * progress.since(each) / total)
    return Columns.joined(True, parts).of_each(len(pairs))


def _checked(subjects: Sequence[Aligned], alignments: Sequence[Alignment | None]) -> Steps[list[Aligned]]:
    """The subjects that have one more, which is taken in."""
    pairs = zip(subjects, alignments, strict=True)
    having = [(each, alignment) for each, alignment in pairs if alignment is not None or not each.alignments]
    if not having:
        return []
    new = made([alignment for _, alignment in having], [each.place for each, _ in having])
    for (each, _), alignment in zip(having, new, strict=True):
        _check_apart(each, alignment)
        each.alignments.append(alignment)
        if len(each.alignments) > 1:
            # It was held against all before it, which may be many of many subjects.
            yield Step()
    return [each for each, _ in having]


def _check_lies(found: Sequence[Aligned]) -> None:
    """Raise EngineError unless the last alignment of each lies in its two sequences, and ends where it says."""
    if found:
        paths = Paths.of([each.alignments[-1] for each in found])
        check_within(paths, [each.pair for each in found], [each.place for each in found])


def _check_apart(subject: Aligned, alignment: Alignment) -> None:
    """Raise EngineError for an alignment that is better than one before it, or shares a pair of letters with it."""
    wrong = ""
    if subject.alignments and alignment.score > subject.alignments[-1].score:
        wrong = "is better than the one before it"
    elif any(share_pairs(alignment, each) for each in subject.alignments):
        wrong = "shares pairs of letters with another one"
    if wrong:
        query, number = subject.place
        raise EngineError(f"alignment {len(subject.alignments) + 1} of subject {number} with query {query + 1} {wrong}")


def _with_more(subjects: Sequence[Aligned]) -> list[Aligned]:
    """Those that may have yet another alignment. A last one that is not likely is not handed on."""
    left = []
    for _, group in groupby(subjects, key=lambda each: each.place[0]):
        own = list(group)
        wanted, further = own[0].wanted, own[0].wanted.parameters.further
        if not further:
            continue
        scores, lengths = [each.alignments[-1].score for each in own], [len(each.pair.subject) for each in own]
        for each, is_likely in zip(own, wanted.likely.are(scores, lengths), strict=True):
            if not is_likely:
                each.unseen = each.alignments[-1].score
                del each.alignments[max(1, len(each.alignments) - 1) :]
            elif len(each.alignments) <= further:
                left.append(each)
    return left


def write_hits(found: Sequence[Aligned], scoring: Scoring, repeats: KnownRepeats | None = None) -> None:
    """Make the texts of all alignments, each held against what it should be worth, and what is left of their scores.

    repeats: as remains_of has it. Raises EngineError for an alignment that does not lie in both sequences, or is not
    worth its score.
    """
    if not found:
        return
    flat = [(each, alignment) for each in found for alignment in each.alignments]
    # The best of a subject is worth its hit's score; what the others should be worth, only they tell.
    expected = [each.score if alignment is each.alignments[0] else alignment.score for each, alignment in flat]
    paths = Paths.of([alignment for _, alignment in flat])
    check_within(paths, [each.pair for each, _ in flat], [each.place for each, _ in flat])
    queries, subjects, pssms = zip(
        *((each.pair.query, each.pair.subject, each.pair.pssm) for each, _ in flat), strict=True
    )
    rows = aligned_rows(paths, queries, subjects, scoring.scores, pssms)
    check_worth(paths, rows, expected, scoring, [each.place for each, _ in flat])
    remains = remains_of([_of_query(list(own)) for _, own in groupby(flat, key=_query)], scoring, repeats)
    for (each, alignment), row, left in zip(flat, rows, remains, strict=True):
        each.hsps.append(hsp(alignment, row, each.wanted.record.offset))
        each.remains.append(left)


def _query(one: tuple[Aligned, Alignment]) -> int:
    return one[0].wanted.number


def _of_query(own: Sequence[tuple[Aligned, Alignment]]) -> AlignedQuery:
    wanted = own[0][0].wanted
    subjects, alignments = [each.pair.subject for each, _ in own], [alignment for _, alignment in own]
    return AlignedQuery(wanted.record.residues, wanted.parameters, subjects, alignments, wanted.record.pssm)
