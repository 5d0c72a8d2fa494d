"""CpuEngine: pyopal's SIMD over slices of the shard, on threads; the engine for machines with no GPU.

pyopal (https://github.com/althonos/pyopal) scores a query against a whole database with Opal's inter-sequence
SIMD and widens 8 to 16 to 32 bits by itself. It reads lower case and `*` in ways of its own, so it is given
the residue codes of alphabet.py spelt as the letters A to X, with each matrix in that order: no letter is
unknown to it. It knows no scores by position: queries that have a PSSM are scored by striped.py. Alignments are those
of gotoh.py, so that they are the same on every engine: by striped.py where there is parasail for the processor.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Self

import numpy as np
import numpy.typing as npt
import pyopal
from scoring_matrices.lib import ScoringMatrix

from shardwater.alignment import striped
from shardwater.alignment.alignment import Alignment
from shardwater.alignment.gotoh import align_batch, align_next
from shardwater.alignment.scheme import Scheme
from shardwater.alignment.watch import Watch
from shardwater.database.database import Shard
from shardwater.engines.engine import NOT_SCORED, Crowd, Found, Pair, ScoreRun, Slice, Slices, Survey
from shardwater.engines.extent import NOTHING, Extent
from shardwater.engines.threads import Threads
from shardwater.errors import DatabaseError
from shardwater.pairs.columns import Columns
from shardwater.pairs.cpu import Answers, align_parts
from shardwater.scoring.scoring import Scoring
from shardwater.search.cuts import Cut
from shardwater.search.hits import Score
from shardwater.sequences.alphabet import CODE_TABLE, LETTERS, encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Counts

SLICE_CELLS, SLICE_CELLS_BY_PLACES = 500_000_000, 100_000_000
"""Cells of one slice: about 50 ms of a core, the time within which a cancel takes effect. The second of a PSSM's."""
DRAWN_FOR = 1 << 12
"""Letters that the same shuffles are scored with, at most or of one sequence; for others they are drawn anew."""
PART_PAIRS, PART_CELLS = 16, 20_000_000
"""Pairs that a thread aligns in one slice, and about how many cells of theirs, at most."""
BATCH_COLUMNS = 1 << 16
"""Columns of one row over a batch of alignments: what stays in a core's cache."""
ALIGNING_MEMORY = 256 << 20
"""Bytes for the matrices of all threads together."""

MOST_PARTS = 4
"""Parts of a shard that are kept, those that were searched last: 20 bytes a subject, since sequences are shared."""

Keys = npt.NDArray[np.int64]

_OPAL_LETTERS = bytes(range(ord("A"), ord("A") + len(LETTERS)))
_OPAL_TABLE = bytes(_OPAL_LETTERS[code] for code in CODE_TABLE)
_OPAL_ALPHABET = pyopal.Alphabet(_OPAL_LETTERS.decode())
_DEAREST = 1 << 28
"""A gap cost that no score of a 32-bit engine can pay: dearer ones change nothing."""


@dataclass(frozen=True, slots=True)
class _Slice:
    query: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Scored:
    """What came back for a slice: subjects by position in the shard, their scores, and how many columns each took."""

    positions: npt.NDArray[np.int64]
    scores: npt.NDArray[np.int64]
    columns: int


_ScoredSlices = Generator[tuple[_Slice, tuple[_Scored, Keys]], None, None]


class _Counter:
    """Counts what came back for a query, slice after slice in the order of the shard."""

    def __init__(self, lengths: npt.NDArray[np.int64]) -> None:
        """lengths: those of the sequences that are scored, as the aligner holds them."""
        self._lengths, self._last = lengths, -1
        self.extent = NOTHING

    def add(self, scored: _Scored) -> int:
        """Count a slice; returns its cells. A subject that comes a second time has cells, but counts once."""
        lengths = self._lengths[scored.positions]
        furthest = np.maximum.accumulate(np.append(self._last, scored.positions))
        new = scored.positions > furthest[:-1]
        cells = int(lengths.sum(dtype=np.int64)) * scored.columns
        before, residues = self.extent, int(lengths[new].sum(dtype=np.int64))
        self.extent = Extent(
            before.subjects + int(np.count_nonzero(new)), before.residues + residues, before.cells + cells
        )
        self._last = int(furthest[-1])
        return cells


@dataclass(frozen=True, slots=True)
class _Held:
    """A shard, or a part of one, as pyopal holds it; ends: where each of its sequences ends, counted in residues.

    lengths: as pyopal says them, not the shard: what was scored is counted by them.
    """

    shard: Shard
    sequences: pyopal.Database
    lengths: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    @classmethod
    def of(cls, shard: Shard, sequences: pyopal.Database) -> Self:
        """These sequences, which are the shard's."""
        # pyopal's stub leaves it out.
        lengths = np.array(sequences.lengths, np.int64)  # type: ignore[attr-defined]
        return cls(shard, sequences, lengths, np.cumsum(shard.lengths, dtype=np.int64))


class CpuEngine:
    """Exact search of one shard on the CPU."""

    name = "cpu"

    def __init__(self, threads: int | None = None) -> None:
        """Score on this many threads; all cores when None."""
        self._threads = Threads(threads, "cpu-engine")
        self._loaded: _Held | None = None
        self._parts: dict[Shard, _Held] = {}

    def load(self, shard: Shard) -> None:
        """Make the shard resident: about 1 byte a residue and 100 bytes a subject."""
        sequences = pyopal.Database(alphabet=_OPAL_ALPHABET)
        sequences.extend(bytes(sequence).translate(_OPAL_TABLE) for sequence in shard.sequences())
        self._loaded, self._parts = _Held.of(shard, sequences), {}

    def search(
        self, queries: Sequence[Record], scoring: Scoring, top: int, among: Shard | None = None
    ) -> Slices[Found]:
        """The best `top` subjects of each query that score above 0, best first, in the total order."""
        held = self._held(among)
        slices = self._score(held, queries, scoring, lambda scored: _best(_keys(scored), top))
        for query, parts in self._by_query(slices, len(queries)):
            counter, best = _Counter(held.lengths), np.zeros(0, dtype=np.int64)
            for scored, keys in parts:
                best = _best(np.concatenate((best, keys)), top)
                yield Slice(counter.add(scored))
            yield Slice(answers=[(query, Found(_scores(best, held.shard), counter.extent))])

    def survey(
        self,
        queries: Sequence[Record],
        scoring: Scoring,
        cuts: Sequence[Cut],
        scores: bool = False,
        among: Shard | None = None,
    ) -> Slices[Survey]:
        """How many subjects of the shard have each score, by length, and the subjects that each query's cut wants."""
        held = self._held(among)
        lengths, numbers = held.shard.lengths, held.shard.numbers(np.arange(len(held.shard)))
        slices = self._score(held, queries, scoring, lambda scored: scored.scores)
        for query, parts in self._by_query(slices, len(queries)):
            counter = _Counter(held.lengths)
            of_parts = [_Scored(numbers[:0], numbers[:0], 0)]
            for scored, _ in parts:
                of_parts.append(scored)
                yield Slice(counter.add(scored), scores=_runs(query, scored) if scores else ())
            found = np.concatenate([scored.positions for scored in of_parts])
            of_all = np.concatenate([scored.scores for scored in of_parts])
            counts = Counts.of(lengths[found], of_all)
            least = cuts[query](counts)
            survey = Survey.among(numbers[found], lengths[found], of_all, counter.extent, counts, least)
            yield Slice(answers=[(query, survey)])

    def _by_query(self, slices: "_ScoredSlices", queries: int) -> Iterator[tuple[int, Iterator[tuple[_Scored, Keys]]]]:
        """Each query and what came back for it, be it nothing, as of an empty shard.

        Slices come in the order of the queries: one query's scores are held at a time.
        """
        with closing(slices):
            by_query = groupby(slices, key=lambda each: each[0].query)
            following = next(by_query, None)
            for query in range(queries):
                if following is None or following[0] != query:
                    yield query, iter(())
                    continue
                yield query, (made for _, made in following[1])
                following = next(by_query, None)

    def align(self, pairs: Sequence[Pair], scoring: Scoring) -> Generator[Columns, None, None]:
        """The best local alignment of each pair: one by one, or in batches of a query and subjects of like length.

        A batch may take long: on the way it is told how far it is.
        """
        memory = ALIGNING_MEMORY // (2 * self._threads.count)
        lengths = np.array([[len(pair.query), len(pair.subject)] for pair in pairs], np.int64).reshape(-1, 2).T

        def align(batch: Sequence[int], watch: Watch) -> list[Alignment | None]:
            schemes = [Scheme.local(scoring, pairs[number].pssm) for number in batch]
            queries = [scheme.places(pairs[number].query) for scheme, number in zip(schemes, batch, strict=True)]
            subjects = [encode(pairs[number].subject) for number in batch]
            if pairs[batch[0]].taken:
                taken = [pairs[number].taken for number in batch]
                return align_next(queries[0], subjects, schemes[0], taken, memory, watch)
            if not striped.is_available():
                return align_batch(queries[0], subjects, schemes[0], memory, watch)
            return [striped.align_pair(*pair, memory, watch) for pair in zip(queries, subjects, schemes, strict=True)]

        first, further = (
            [number for number, pair in enumerate(pairs) if bool(pair.taken) is some] for some in (False, True)
        )
        batches = chain((_parts if striped.is_available() else _batches)(pairs, first), _batches(pairs, further))

        def answers(batch: Sequence[int], watch: Watch) -> Answers:
            return list(zip(batch, align(batch, watch), strict=True))

        return align_parts(self._threads, answers, batches, lengths, local=True)

    def score(self, crowds: Sequence[Crowd], scoring: Scoring) -> Slices[npt.NDArray[np.int32]]:
        """The best local scores of each crowd, (ones, shuffles)."""
        aligner = _aligner(scoring)

        def score(part: _Some) -> npt.NDArray[np.int32]:
            crowd = crowds[part.crowd]
            # What came back is told from what was asked for.
            scores = np.full((len(part.ones), len(part.numbers)), NOT_SCORED, np.int32)
            shuffles = _sequences(crowd.shuffling.rows(crowd.shuffled, part.numbers))
            for row, one in zip(scores, part.ones, strict=True):
                for result in aligner.align(_spelt(crowd.ones[one]), shuffles, mode="score", overflow="simple"):
                    row[result.target_index] = result.score
            return scores

        found = [np.full((len(crowd.ones), crowd.shuffling.count), NOT_SCORED, np.int32) for crowd in crowds]
        with closing(self._threads.in_order(score, _pieces(crowds))) as scored:
            for part, scores in scored:
                found[part.crowd][part.ones.start : part.ones.stop, part.numbers.start : part.numbers.stop] = scores
                yield Slice(part.cells)
        yield Slice(answers=list(enumerate(found)))

    def _held(self, among: Shard | None) -> _Held:
        """What is scored: all that is loaded, or of it a part, which is kept for the next search of the same one."""
        if self._loaded is None:
            raise DatabaseError("no shard is loaded")
        if among is None or among.chosen is None:
            return self._loaded
        held = self._parts.pop(among, None)
        if held is None:
            held = _Held.of(among, self._loaded.sequences.extract(among.chosen.tolist()))
        while len(self._parts) >= MOST_PARTS:
            del self._parts[next(iter(self._parts))]
        self._parts[among] = held
        return held

    def _score(
        self,
        held: _Held,
        queries: Sequence[Record],
        scoring: Scoring,
        take: Callable[[_Scored], Keys],
    ) -> "_ScoredSlices":
        """Each slice with what came back for it, and what `take`, on the thread that scored it, made of that."""
        aligner = _aligner(scoring)
        encoded = [query.residues.translate(_OPAL_TABLE) for query in queries]

        def score(part: _Slice) -> tuple[_Scored, Keys]:
            query = encoded[part.query]
            if (pssm := queries[part.query].pssm) is not None:
                scored = _score_by_places(held, part, Scheme.local(scoring, pssm), query)
                return scored, take(scored)
            # pyopal 0.7's other way with overflows is slower, and loses 25 to 450 KiB each time that one happens.
            results = aligner.align(
                query, held.sequences, mode="score", overflow="simple", start=part.start, end=part.end
            )
            # What came back, not what was asked for: the certificate counts it.
            positions = np.fromiter((result.target_index for result in results), np.int64, len(results))
            scores = np.fromiter((result.score for result in results), np.int64, len(results))
            scored = _Scored(positions, scores, len(query))
            return scored, take(scored)

        slices = (part for number, query in enumerate(queries) for part in self._slices(held, number, query))
        return self._threads.in_order(score, slices)

    def _slices(self, held: _Held, number: int, query: Record) -> Iterator[_Slice]:
        """Runs of subjects of about SLICE_CELLS, or fewer so that every thread gets some."""
        ends = held.ends
        if len(ends) == 0:
            return
        total, most = int(ends[-1]), SLICE_CELLS if query.pssm is None else SLICE_CELLS_BY_PLACES
        count = max(self._threads.count, -(-total * len(query.residues) // most))
        borders = np.searchsorted(ends, np.arange(1, count) * (total / count)).tolist()
        starts = sorted({0, *borders})
        for start, end in zip(starts, [*starts[1:], len(ends)], strict=True):
            if start < end:
                yield _Slice(number, start, end)


def _score_by_places(held: _Held, part: _Slice, scheme: Scheme, query: bytes) -> _Scored:
    """What came back for a slice where the query has scores by position."""
    subjects = [held.sequences[position].encode() for position in range(part.start, part.end)]
    scores = striped.score_each(scheme.places(query), subjects, scheme)
    return _Scored(np.arange(part.start, part.start + len(scores)), scores, len(query))


@dataclass(frozen=True, slots=True)
class _Some:
    """Of a crowd, by its number, some sequences that are scored with some shuffles."""

    crowd: int
    ones: range
    numbers: range
    cells: int


def _pieces(crowds: Sequence[Crowd]) -> Iterator[_Some]:
    """All of them, about SLICE_CELLS at a time."""
    for number, crowd in enumerate(crowds):
        ends, count, first = np.cumsum([len(one) for one in crowd.ones]), crowd.shuffling.count, 0
        while first < len(ends):
            before = int(ends[first - 1]) if first else 0
            stop = max(first + 1, int(np.searchsorted(ends, before + DRAWN_FOR, side="right")))
            cells = (int(ends[stop - 1]) - before) * len(crowd.shuffled)
            size = max(1, SLICE_CELLS // cells)
            for start in range(0, count, size):
                some = range(start, min(start + size, count))
                yield _Some(number, range(first, stop), some, cells * len(some))
            first = stop


def _sequences(codes: npt.NDArray[np.uint8]) -> pyopal.Database:
    letters, length = _spelt(codes), codes.shape[1]
    sequences = pyopal.Database(alphabet=_OPAL_ALPHABET)
    sequences.extend(letters[start : start + length] for start in range(0, len(letters), length))
    return sequences


def _spelt(codes: npt.NDArray[np.uint8]) -> bytes:
    """Codes as the letters that pyopal knows them by."""
    return (codes + np.uint8(_OPAL_LETTERS[0])).tobytes()


def _aligner(scoring: Scoring) -> pyopal.Aligner:
    """pyopal's gap of n costs open + (n - 1) * extend: our first residue is its open."""
    matrix = ScoringMatrix(scoring.scores.tolist(), alphabet=_OPAL_LETTERS.decode())
    return pyopal.Aligner(
        matrix, gap_open=min(scoring.gap_first, _DEAREST), gap_extend=min(scoring.gap_extend, _DEAREST)
    )


def _runs(query: int, scored: _Scored) -> list[ScoreRun]:
    """A slice as it is handed out. Where a subject is missing, the extent says so."""
    if len(scored.positions) == 0:
        return []
    return [ScoreRun(query, int(scored.positions[0]), scored.scores.astype(np.int32))]


def _keys(scored: _Scored) -> npt.NDArray[np.int64]:
    """One integer for score and subject, larger for the better in the total order; those above 0 only."""
    return ((scored.scores << 32) | (0xFFFF_FFFF - scored.positions))[scored.scores > 0]


def _best(keys: npt.NDArray[np.int64], top: int) -> npt.NDArray[np.int64]:
    return keys if len(keys) <= top else np.partition(keys, len(keys) - top)[len(keys) - top :]


def _scores(keys: npt.NDArray[np.int64], shard: Shard) -> list[Score]:
    ordered = np.sort(keys)[::-1]
    subjects = shard.numbers(0xFFFF_FFFF - (ordered & 0xFFFF_FFFF))
    return list(map(Score, subjects.tolist(), (ordered >> 32).tolist()))


def _parts(pairs: Sequence[Pair], chosen: Sequence[int]) -> Iterator[list[int]]:
    """Numbers of pairs, of those chosen, in groups of at most PART_PAIRS and about PART_CELLS."""
    part, cells = list[int](), 0
    for number in chosen:
        part.append(number)
        cells += len(pairs[number].query) * len(pairs[number].subject)
        if len(part) == PART_PAIRS or cells >= PART_CELLS:
            yield part
            part, cells = [], 0
    if part:
        yield part


def _batches(pairs: Sequence[Pair], chosen: Sequence[int]) -> Iterator[list[int]]:
    """Numbers of chosen pairs with one query and PSSM, in groups of like subject length whose rows fit a cache."""
    for _, group in groupby(chosen, key=lambda number: (pairs[number].query, pairs[number].pssm)):
        batch: list[int] = []
        for number in sorted(group, key=lambda number: -len(pairs[number].subject)):
            if batch and (len(batch) + 1) * (len(pairs[batch[0]].subject) + 1) > BATCH_COLUMNS:
                yield batch
                batch = []
            batch.append(number)
        yield batch
