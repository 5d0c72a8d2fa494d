"""What a shard hands on of a query's hits where others write them out: subjects, scores and paths, in arrays.

Names and rows take some ten times as long to make, and as much room. All that is said of a hit follows from its
path, the database and the query, so that whoever writes it out needs no engine.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import BinaryIO, Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import Alignment, Run
from shardwater.database.database import Database
from shardwater.errors import EngineError
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS, Columns
from shardwater.ranges import ranges_of
from shardwater.search.aligning import Wanted, write_hits
from shardwater.search.cuts import LeastScores, within
from shardwater.search.databases import DatabaseSize, firsts_of
from shardwater.search.further import Likely
from shardwater.search.hits import Score, ShardResult, SubjectHit
from shardwater.search.judging import fitted_statistics
from shardwater.search.merge import Searched
from shardwater.search.naming import Named, named_hits
from shardwater.search.parameters import Parameters
from shardwater.search.repeats import KnownRepeats
from shardwater.search.shortlist import LEAST_EVALUE, Shortlist
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import ROWS, Counts, rows_of

TOGETHER = 10_000
"""Hits that are written out at a time."""
MOST = 1 << 40
"""Hits, or runs, of a query: more than any memory holds."""
_KINDS = {ord(kind): kind for kind in "MID"}
_KIND_LETTERS = np.frombuffer(RUN_KINDS.encode(), np.uint8)
_ENDS = [0, 2, 1, 3]
"""The places of Columns in the order of `ends`."""
_COUNT = "<i8"
_COLUMNS = (
    ("subjects", "<i8", 1),
    ("scores", "<i4", 1),
    ("ends", "<i4", 4),
    ("runs", "<i4", 1),
    ("kinds", "u1", 1),
    ("lengths", "<i4", 1),
)
"""How each array is kept: its name, its type, and the numbers of a row."""


@dataclass(frozen=True, slots=True, eq=False)
class Traced:
    """Subjects of a database as a shard hands them on for a query, and the best alignment of each, if it was made.

    subjects, scores: (subjects,). ends: of each alignment the first positions in query and subject, and those behind
    the last, (subjects, 4). runs: how many each has, 0 where it was not aligned. kinds, lengths: of all runs.
    """

    subjects: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int32]
    runs: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.uint8]
    lengths: npt.NDArray[np.int32]

    @classmethod
    def of(cls, shortlist: Shortlist, paths: Columns) -> Self:
        """A query's shortlist, and the paths of those of it that are to be aligned, a row of each."""
        scores = shortlist.scores
        return cls._of(scores.subjects, scores.scores.astype(np.int32), np.flatnonzero(shortlist.are_aligned), paths)

    @classmethod
    def of_members(cls, numbers: npt.NDArray[np.int64], paths: Columns) -> Self:
        """Members of clusters, by their places in a database's files, and a row of each."""
        aligned = np.flatnonzero(paths.found)
        return cls._of(numbers, paths.scores.astype(np.int32), aligned, paths.select(aligned))

    @classmethod
    def _of(
        cls,
        subjects: npt.NDArray[np.int64],
        scores: npt.NDArray[np.int32],
        aligned: npt.NDArray[np.int64],
        paths: Columns,
    ) -> Self:
        """aligned: whose paths these are, by their places among the subjects."""
        ends, runs, words = np.zeros((len(subjects), 4), np.int32), np.zeros(len(subjects), np.int32), paths.row_runs
        ends[aligned] = paths.places[:, _ENDS]
        runs[aligned] = paths.lasts - paths.firsts
        kinds, lengths = _KIND_LETTERS[words & (1 << KIND_BITS) - 1], words >> KIND_BITS
        return cls(subjects, scores, ends, runs, kinds, lengths)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Those of all parts, of which there is one at least, in their order."""
        return cls(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)))

    def __len__(self) -> int:
        return len(self.subjects)

    def write(self, file: BinaryIO) -> None:
        """How many hits and runs there are, then the arrays one after the other, all little-endian."""
        file.write(np.array([len(self), len(self.kinds)], _COUNT).tobytes())
        for name, kind, _ in _COLUMNS:
            file.write(getattr(self, name).astype(kind).tobytes())

    @classmethod
    def read(cls, file: BinaryIO) -> Self:
        """What `write` has written; raises ValueError for what it has not."""
        hits, runs = np.frombuffer(file.read(2 * np.dtype(_COUNT).itemsize), _COUNT).tolist()
        if not (0 <= hits <= MOST and 0 <= runs <= MOST):
            raise ValueError("arrays of hits that are too many")
        arrays = {}
        for name, kind, each in _COLUMNS:
            count = runs if name in ("kinds", "lengths") else hits * each
            # One that is too short makes an array of another size, which is refused below.
            content = file.read(count * np.dtype(kind).itemsize)
            arrays[name] = np.frombuffer(content, kind).reshape((-1, each) if each > 1 else -1)
        found = cls(**arrays)
        sizes = {len(found.subjects), len(found.scores), len(found.ends), len(found.runs)}
        fit = sizes == {hits} and {len(found.kinds), len(found.lengths), int(found.runs.sum())} == {runs}
        numbered = not (found.subjects < 0).any() and not (found.runs < 0).any()
        if not fit or not numbered or not np.isin(found.kinds, list(_KINDS)).all():
            raise ValueError("arrays of hits that do not fit each other")
        return found

    def parts(self) -> Iterator["Traced"]:
        """The same, some hits at a time."""
        behind = np.concatenate(([0], np.cumsum(self.runs, dtype=np.int64)))
        for some in ranges_of(len(self), TOGETHER):
            hits, runs = slice(some.start, some.stop), slice(behind[some.start], behind[some.stop])
            yield Traced(
                self.subjects[hits],
                self.scores[hits],
                self.ends[hits],
                self.runs[hits],
                self.kinds[runs],
                self.lengths[runs],
            )

    def reaching(self, least: LeastScores, lengths: npt.NDArray[np.integer]) -> "Traced":
        """Those that have the least score of their row of the counts; lengths: of all subjects of the database."""
        # Who reads them says so where there is no such subject.
        kept = self.scores >= least[rows_of(lengths.take(self.subjects, mode="clip"))]
        runs = np.repeat(kept, self.runs)
        hits = self.subjects[kept], self.scores[kept], self.ends[kept], self.runs[kept]
        return Traced(*hits, self.kinds[runs], self.lengths[runs])

    def alignments(self) -> dict[int, Alignment]:
        """Those that were made, by their subjects."""
        # A run as one number, its length above its kind's byte. Few are different, and each of these is made once.
        words, places = np.unique(self.lengths.astype(np.int64) << 8 | self.kinds, return_inverse=True)
        kinds, lengths = (words & 255).tolist(), (words >> 8).tolist()
        different = [Run(_KINDS[kind], length) for kind, length in zip(kinds, lengths, strict=True)]
        runs = list(map(different.__getitem__, places.tolist()))
        found, first = {}, 0
        hits = zip(self.subjects.tolist(), self.scores.tolist(), self.ends.tolist(), self.runs.tolist(), strict=True)
        for subject, score, (query_start, subject_start, query_end, subject_end), count in hits:
            if count:
                ends = query_start, query_end, subject_start, subject_end
                found[subject] = Alignment(score, *ends, tuple(runs[first : first + count]))
                first += count
        return found


@dataclass(frozen=True, slots=True, eq=False)
class TracedShard:
    """What a shard has found for queries, without hits in `result`, and these as arrays, query by query.

    Subjects have the numbers of their database.
    """

    result: ShardResult
    queries: tuple[Traced, ...]

    def written(
        self,
        database: Database,
        first: int,
        records: Sequence[Record],
        parameters: Parameters,
        repeats: KnownRepeats | None = None,
    ) -> ShardResult:
        """The same with its hits written out.

        first: the number of the database's first subject among those of all that are searched. repeats: what is known
        of them; what is looked at besides is added. Raises EngineError for an alignment that does not lie in both
        sequences, or is not worth its score.
        """
        if len(self.queries) != len(records):
            raise EngineError(f"{len(self.queries)} of {len(records)} queries were scored")
        each = zip(self.queries, records, strict=True)
        queries = tuple(
            tuple(_numbered(hit, first) for hit in written_hits(traced, database, record, parameters, repeats))
            for traced, record in each
        )
        return replace(self.result, queries=queries)


def write_shards(
    shards: Sequence[TracedShard],
    databases: Mapping[int, Database],
    searched: Searched,
    parameters: Parameters,
    repeats: KnownRepeats,
) -> list[ShardResult]:
    """What all shards of a search have found, with hits written out as far as any may be reported.

    databases: by their places in the search. parameters: what the shards were asked for. repeats: as for
    TracedShard.written. Raises EngineError.
    """
    own = [databases[shard.result.database] for shard in shards]
    firsts = firsts_of(searched.databases)
    return [
        shard.written(database, firsts[shard.result.database], searched.queries, parameters, repeats)
        for shard, database in zip(
            within_limit(shards, own, searched.queries, searched.size, parameters), own, strict=True
        )
    ]


def within_limit(
    shards: Sequence[TracedShard],
    databases: Sequence[Database],
    records: Sequence[Record],
    size: DatabaseSize,
    parameters: Parameters,
) -> list[TracedShard]:
    """The same of several shards, without hits that the fit to all of them puts above the limit to the E-value.

    databases: that of each shard; size: of all that is searched. Hits are in the order of their E-values: by score,
    others would move up. Of one that is alone the shard itself has known the fit. Raises EngineError.
    """
    if len(shards) == 1:
        return list(shards)
    longest = max(database.manifest.longest for database in databases)
    kept: list[list[Traced]] = [[] for _ in shards]
    for number, record in enumerate(records):
        if any(len(each.queries) <= number or len(each.result.histograms) <= number for each in shards):
            raise EngineError(f"a shard has not scored query {number + 1}")
        counts = Counts.sum([each.result.histograms[number].counts for each in shards])
        space = parameters.space(len(record.residues), size.residues, size.subjects)
        fit = fitted_statistics(parameters, space, counts, profile=record.pssm is not None).fit
        least = np.ones(ROWS, np.int32) if fit is None else within(fit, max(parameters.evalue, LEAST_EVALUE), longest)
        for own, shard, database in zip(kept, shards, databases, strict=True):
            own.append(shard.queries[number].reaching(least, database.lengths))
    return [replace(shard, queries=tuple(own)) for shard, own in zip(shards, kept, strict=True)]


def _numbered(hit: SubjectHit, first: int) -> SubjectHit:
    return replace(hit, subject=first + hit.subject) if first else hit


def written_hits(
    traced: Traced, named: Named, record: Record, parameters: Parameters, repeats: KnownRepeats | None = None
) -> Iterator[SubjectHit]:
    """The hits of a query written out, by what has the names and letters of its subjects.

    repeats: as TracedShard.written has it. Raises EngineError for an alignment that does not lie in both sequences, or
    is not worth its score.
    """
    for part in traced.parts():
        yield from _written(part, named, record, parameters, repeats)


def _written(
    traced: Traced, database: Named, record: Record, parameters: Parameters, repeats: KnownRepeats | None
) -> tuple[SubjectHit, ...]:
    alignments = traced.alignments()
    scores = dict(zip(traced.subjects.tolist(), traced.scores.tolist(), strict=True))
    subjects = list(alignments)
    wanted = Wanted(
        0,
        record,
        parameters,
        subjects,
        database.sequences(subjects),
        [scores[subject] for subject in subjects],
        Likely(),
    )
    found = wanted.to_be_aligned()
    for each in found:
        each.alignments.append(alignments[each.subject])
    write_hits(found, parameters.scoring, repeats)
    listed = [Score(subject, score) for subject, score in scores.items()]
    return named_hits(database, listed, alignments.keys(), {each.subject: each for each in found})
