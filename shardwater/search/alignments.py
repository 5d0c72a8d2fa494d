"""Alignments held against the two sequences that they are of: an engine's, and those that a result shows.

Of an alignment only its path is believed. What it is worth, and how it is written, follows from the sequences.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from shardwater.alignment.alignment import AlignedRows, Alignment, Paths, Run, aligned_rows, merge_runs
from shardwater.alignment.taken import share_pairs
from shardwater.engines.engine import Pair
from shardwater.errors import EngineError
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import Hsp, hsp
from shardwater.sequences.fasta import Record

_RUN = re.compile("([1-9][0-9]{0,9})([=XID])")
_CIGAR = re.compile(f"(?:{_RUN.pattern})+")
_KINDS = {"=": "M", "X": "M", "I": "I", "D": "D"}


def lies_within(alignment: Alignment, along_query: int, along_subject: int, query: bytes, subject: bytes) -> bool:
    """Whether an alignment whose runs span so many residues lies in its two sequences, and ends where it says."""
    first, last = alignment.query_start, alignment.query_end
    return (
        0 <= first < first + along_query == last <= len(query)
        and alignment.subject_start >= 0
        and alignment.subject_start + along_subject == alignment.subject_end <= len(subject)
    )


def worth(row: AlignedRows, gaps: int, scoring: Scoring) -> int:
    """What an alignment's pairs of letters and its gaps, so many of any length, score together."""
    return row.paired - scoring.gap_open * gaps - scoring.gap_extend * row.gaps


def made(alignments: Sequence[Alignment | None], places: Sequence[tuple[int, int]]) -> list[Alignment]:
    """The alignments of an engine, none of which is missing; raises EngineError."""
    made = []
    for alignment, place in zip(alignments, places, strict=True):
        if alignment is None or not alignment.runs:
            raise lacks_alignment(place)
        made.append(alignment)
    return made


def lacks_alignment(place: tuple[int, int]) -> EngineError:
    """What is wrong where a query's hit has none."""
    query, subject = place
    return EngineError(f"subject {subject} has a score against query {query + 1}, but no alignment")


def check_within(paths: Paths, pairs: Sequence[Pair], places: Sequence[tuple[int, int]]) -> None:
    """Raise EngineError unless the runs of alignments lie in their two sequences, and end where they say."""
    spans = zip(paths.alignments, pairs, paths.along_query.tolist(), paths.along_subject.tolist(), places, strict=True)
    for alignment, pair, along_query, along_subject, (query, subject) in spans:
        if not lies_within(alignment, along_query, along_subject, pair.query, pair.subject):
            raise EngineError(f"the alignment of subject {subject} with query {query + 1} does not lie where it says")


def check_worth(
    paths: Paths,
    rows: Sequence[AlignedRows],
    scores: Sequence[int],
    scoring: Scoring,
    places: Sequence[tuple[int, int]],
) -> None:
    """Raise EngineError unless the letters and gaps of alignments are worth the scores of their hits.

    Two programs that share no line have computed score and path: of an alignment only its path is believed.
    """
    each = zip(paths.alignments, rows, paths.gaps.tolist(), scores, places, strict=True)
    for alignment, row, gaps, score, (query, subject) in each:
        for found in (alignment.score, worth(row, gaps, scoring)):
            if found != score:
                told = f"subject {subject} scored {score} against query {query + 1}, but {found} in its alignment"
                raise EngineError(told)


@dataclass(frozen=True, slots=True)
class Shown:
    """The alignments that a result shows for a hit, of so many at most, the subject's sequence, and what the best one
    should be worth.
    """

    hsps: Sequence[Hsp]
    subject: bytes
    score: int
    most: int


def written_anew(shown: Sequence[Shown], record: Record, scoring: Scoring) -> list[tuple[Hsp, ...] | str]:
    """The alignments of each hit with a query, written anew from their paths; or what is wrong with them, in words."""
    found = [_paths(each, record) for each in shown]
    sound = [(path, each.subject) for each, paths in zip(shown, found, strict=True) for path in _sound(paths)]
    if not sound:
        return [paths for paths in found if isinstance(paths, str)]
    flat = Paths.of([path for path, _ in sound])
    subjects, count = [subject for _, subject in sound], len(sound)
    rows = aligned_rows(flat, [record.residues] * count, subjects, scoring.scores, [record.pssm] * count)
    points = [worth(row, gaps, scoring) for row, gaps in zip(rows, flat.gaps.tolist(), strict=True)]
    texts = iter(zip(rows, points, strict=True))
    written: list[tuple[Hsp, ...] | str] = []
    for each, paths in zip(shown, found, strict=True):
        if isinstance(paths, str):
            written.append(paths)
            continue
        own = [next(texts) for _ in paths]
        hsps = [
            hsp(replace(path, score=points), row, record.offset) for path, (row, points) in zip(paths, own, strict=True)
        ]
        written.append(_wrong(each, hsps) or tuple(hsps))
    return written


def _sound(paths: Sequence[Alignment] | str) -> Sequence[Alignment]:
    return () if isinstance(paths, str) else paths


def _wrong(shown: Shown, hsps: Sequence[Hsp]) -> str:
    """What is wrong with what alignments are worth; empty where nothing is."""
    if hsps[0].score != shown.score:
        return f"its letters and gaps are worth {hsps[0].score}"
    for number, (before, after) in enumerate(pairwise(hsps), start=2):
        if not 0 < after.score <= before.score:
            return f"alignment {number} is worth {after.score}, after one that is worth {before.score}"
    return ""


def _paths(shown: Shown, record: Record) -> list[Alignment] | str:
    """The paths of a hit's alignments; or why it has none."""
    if not 0 < len(shown.hsps) <= shown.most:
        return f"{len(shown.hsps) or 'no'} alignments"
    paths = [path_of(one, shown.score, record.offset) for one in shown.hsps]
    for path in paths:
        # Numbers of any size may stand in a result: only after this are they ones that numpy holds.
        along_query, along_subject = (sum(run.length for run in path.runs if run.kind != other) for other in "DI")
        if not lies_within(path, along_query, along_subject, record.residues, shown.subject):
            return "it does not lie in both sequences as it says"
    if any(share_pairs(one, other) for one, other in combinations(paths, 2)):
        return "two alignments that share pairs of letters"
    return paths


def path_of(shown: Hsp, score: int, query_offset: int = 0) -> Alignment:
    """The path of an alignment at the border, worth so much, with a query that so many residues come before."""
    return Alignment(
        score,
        shown.query_from - 1 - query_offset,
        shown.query_to - query_offset,
        shown.hit_from - 1,
        shown.hit_to,
        _runs(shown.cigar),
    )


def _runs(cigar: str) -> tuple[Run, ...]:
    """The runs of a CIGAR; none where it is no CIGAR."""
    if not _CIGAR.fullmatch(cigar):
        return ()
    return merge_runs([Run(_KINDS[kind], int(length)) for length, kind in _RUN.findall(cigar)])
