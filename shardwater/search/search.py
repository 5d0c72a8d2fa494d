"""A search, from queries to hits of one shard: score everything, then align the best.

The worker's task and the command line call find_hits; neither knows which engine answers.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

from shardwater.alignment.alignment import AlignedRows, Alignment, Paths, aligned_rows
from shardwater.database.database import Shard
from shardwater.engines.engine import Engine, Pair, Progress, no_progress
from shardwater.engines.extent import Extent, check_extents, check_histograms
from shardwater.errors import EngineError
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import Hsp, Score, ShardResult, SubjectHit, hsp
from shardwater.search.parameters import Parameters
from shardwater.search.shortlist import Chooser, Shortlist
from shardwater.sequences.fasta import Record
from shardwater.statistics.distribution import Histogram
from shardwater.statistics.evalue import SearchSpace
from shardwater.statistics.length_regression import Slopes

TRACED = 0.8
"""Share of making alignments that is the engine's; the rest are their rows and names."""
GROUP = 25
"""Queries searched together: enough to keep an engine busy, few enough for others to be written out meanwhile."""


@dataclass(frozen=True, slots=True)
class ShardSearch:
    """What one search asks of a shard; any_line where shortlists for lines like the shards' own were not enough."""

    queries: Sequence[Record]
    parameters: Parameters
    any_line: bool = False


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is told how far a search is; scored and aligned may raise SearchCancelled, which ends the search.

    scored gets the cells scored since its last call, which add up to ShardResult.cells. aligned gets the share of all
    alignments, weighed by their queries' residues, that has since been made, or found not to be needed: 1 in all.
    between is called where no search is under way in the engine, so that another may be made.
    """

    scored: Progress = no_progress
    aligned: Callable[[float], None] = lambda share: None
    between: Callable[[], None] = lambda: None

    def from_two_threads(self) -> "Watcher":
        """The same for two threads, the one that searches and the one that writes hits out: it is told one by one."""
        lock = Lock()

        def scored(cells: int) -> None:
            with lock:
                self.scored(cells)

        def aligned(share: float) -> None:
            with lock:
                self.aligned(share)

        return replace(self, scored=scored, aligned=aligned)

    def of_part(self, share: float) -> "Watcher":
        """The same for queries that have this share of the alignments."""
        return replace(self, aligned=lambda done: self.aligned(share * done))


UNWATCHED = Watcher()


def find_hits(
    engine: Engine, shard: Shard, queries: Sequence[Record], parameters: Parameters, watcher: Watcher = UNWATCHED
) -> ShardResult:
    """The best subjects of one shard for each query, with the alignments of those that will be reported."""
    [found] = find_all_hits(engine, shard, [ShardSearch(queries, parameters)], watcher)
    return found


def find_all_hits(
    engine: Engine,
    shard: Shard,
    searches: Sequence[ShardSearch],
    watcher: Watcher = UNWATCHED,
) -> list[ShardResult]:
    """What each of several searches finds in one shard, their queries passed over it together.

    All are of one kind (Parameters.kind). Each gets what it would get alone.
    Of many queries, those searched are written out while the next ones are searched.
    """
    asked = [_Asked(query, search.parameters, search.any_line) for search in searches for query in search.queries]
    found: list[_Chosen] = []
    counted = _Counted([], [])
    writing: deque[Future[list[_Chosen]]] = deque()
    told = watcher if len(asked) <= GROUP else watcher.from_two_threads()
    total = sum(each.weight for each in asked)
    with ThreadPoolExecutor(1, thread_name_prefix="hits") as writer:
        for first in range(0, len(asked), GROUP):
            if first:
                watcher.between()
            group = asked[first : first + GROUP]
            share = sum(each.weight for each in group) / total
            work = _searched(engine, shard, group, told.of_part(share), counted)
            if len(asked) <= GROUP:
                found += work.hits()
                continue
            writing.append(writer.submit(work.hits))
            if len(writing) > 1:
                found += writing.popleft().result()
        for waiting in writing:
            found += waiting.result()
    return _divided(engine.name, shard, searches, found, counted)


def _searched(
    engine: Engine, shard: Shard, asked: "Sequence[_Asked]", watcher: Watcher, counted: "_Counted"
) -> "_Group":
    """What was found for a group; how much was scored is checked and added to what was counted before."""
    queries, [(scoring, counts)] = [each.query for each in asked], {each.parameters.kind for each in asked}
    choosers = [each.chooser(shard) for each in asked]
    if counts:
        surveys = engine.survey(queries, scoring, [chooser.cut for chooser in choosers], watcher.scored)
        histograms = [Histogram.of(survey.counts) for survey in surveys]
        counted.add(shard, queries, [survey.extent for survey in surveys], histograms)
        choices = [partial(chooser.of_survey, survey) for chooser, survey in zip(choosers, surveys, strict=True)]
    else:
        top = max(each.parameters.max_target_seqs for each in asked)
        found = engine.search(queries, scoring, top, watcher.scored)
        counted.add(shard, queries, [each.extent for each in found], [])
        choices = [partial(chooser.of_best, each.best) for chooser, each in zip(choosers, found, strict=True)]
    return _Group(engine, shard, asked, choices, scoring, watcher)


def _divided(
    engine: str,
    shard: Shard,
    searches: Sequence[ShardSearch],
    found: "Sequence[_Chosen]",
    counted: "_Counted",
) -> list[ShardResult]:
    """What was found for all queries, as each search's own result."""
    results, first = [], 0
    for search in searches:
        own = slice(first, first + len(search.queries))
        first = own.stop
        results.append(
            ShardResult(
                index=shard.index,
                subjects=len(shard),
                residues=shard.residues,
                engine=engine,
                queries=tuple(each.hits for each in found[own]),
                extents=tuple(counted.extents[own]),
                histograms=tuple(counted.histograms[own]) if search.parameters.surveyed else (),
                slopes=tuple(each.slopes for each in found[own]),
            )
        )
    return results


@dataclass(frozen=True, slots=True)
class _Counted:
    """What engines have counted, query after query; histograms only where they have made surveys."""

    extents: list[Extent]
    histograms: list[Histogram]

    def add(
        self, shard: Shard, queries: Sequence[Record], extents: Sequence[Extent], histograms: Sequence[Histogram]
    ) -> None:
        """Add what was counted for more queries; raises EngineError where that is not the whole shard."""
        before, lengths = len(self.extents), [len(query.residues) for query in queries]
        check_extents(extents, len(shard), shard.residues, lengths, before)
        check_histograms([histogram.total for histogram in histograms], len(shard), before)
        self.extents.extend(extents)
        self.histograms.extend(histograms)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query, and what its search asks of it."""

    query: Record
    parameters: Parameters
    any_line: bool

    def chooser(self, shard: Shard) -> Chooser:
        """Who chooses among a shard's subjects for it."""
        database = shard.database
        space = SearchSpace(len(self.query.residues), database.manifest.residues, len(database))
        return Chooser(self.parameters, space, database, shard.count, self.any_line)

    @property
    def weight(self) -> int:
        """What its alignments cost, compared with those of other queries."""
        return len(self.query.residues) * max(1, self.parameters.aligned)


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The hits of a query, and the lines for which they are enough."""

    hits: tuple[SubjectHit, ...]
    slopes: Slopes | None


@dataclass(frozen=True, slots=True)
class _Group:
    """Queries that have been searched, to be written out: also what makes their shortlists is left to that."""

    engine: Engine
    shard: Shard
    asked: Sequence[_Asked]
    choices: Sequence[Callable[[], Shortlist]]
    scoring: Scoring
    watcher: Watcher

    def hits(self) -> list[_Chosen]:
        """The hits of each query; those that no report will show have neither names nor alignments."""
        shortlists = [choose() for choose in self.choices]
        hsps = self._align([shortlist.aligned for shortlist in shortlists])
        hits = [
            _Chosen(self._hits(number, shortlist, hsps), shortlist.slopes)
            for number, shortlist in enumerate(shortlists)
        ]
        self.watcher.aligned(1 - TRACED if hsps else 1)
        return hits

    def _align(self, wanted: Sequence[Sequence[Score]]) -> dict[tuple[int, int], Hsp]:
        """The alignment of each query's best subjects, by (query number, subject)."""
        places = [(number, score.subject) for number, scores in enumerate(wanted) for score in scores]
        expected = [score.score for scores in wanted for score in scores]
        database, scoring = self.shard.database, self.scoring
        sequences = database.sequences([subject for _, subject in places])
        pairs = [
            Pair(self.asked[number].query.residues, sequence)
            for (number, _), sequence in zip(places, sequences, strict=True)
        ]
        total = max(1, sum(len(pair.query) * len(pair.subject) for pair in pairs))
        alignments = self.engine.align(pairs, scoring, lambda cells: self.watcher.aligned(TRACED * cells / total))
        if not places:
            return {}
        paths = Paths.of(_made(alignments, places))
        _check_within(paths, pairs, places)
        rows = aligned_rows(paths, [pair.query for pair in pairs], [pair.subject for pair in pairs], scoring.scores)
        _check_worth(paths, rows, expected, scoring, places)
        return {
            place: hsp(alignment, row, self.asked[place[0]].query.offset)
            for place, alignment, row in zip(places, paths.alignments, rows, strict=True)
        }

    def _hits(self, number: int, shortlist: Shortlist, hsps: Mapping[tuple[int, int], Hsp]) -> tuple[SubjectHit, ...]:
        """The hits of one query; those that are shown have names."""
        database, shown = self.shard.database, shortlist.shown
        subjects = [score.subject for score in shortlist.scores]
        named = [subject for subject in subjects if subject in shown]
        names = dict(zip(named, database.names_of_all(named), strict=True))
        hits = []
        for score, length in zip(shortlist.scores, database.lengths[subjects].tolist(), strict=True):
            subject = score.subject
            accession, title = names.get(subject, ("", ""))
            found = hsps.get((number, subject))
            hits.append(SubjectHit(subject, accession, title, length, score.score, () if found is None else (found,)))
        return tuple(hits)


def _made(alignments: Sequence[Alignment | None], places: Sequence[tuple[int, int]]) -> list[Alignment]:
    """The alignments, none of which is missing."""
    made = []
    for alignment, (query, subject) in zip(alignments, places, strict=True):
        if alignment is None or not alignment.runs:
            raise EngineError(f"subject {subject} has a score against query {query + 1}, but no alignment")
        made.append(alignment)
    return made


def _check_within(paths: Paths, pairs: Sequence[Pair], places: Sequence[tuple[int, int]]) -> None:
    """Raise EngineError unless the runs of alignments lie in their two sequences, and end where they say."""
    spans = zip(paths.alignments, pairs, paths.along_query.tolist(), paths.along_subject.tolist(), places, strict=True)
    for alignment, pair, along_query, along_subject, (query, subject) in spans:
        if not (
            0 <= alignment.query_start < alignment.query_start + along_query == alignment.query_end <= len(pair.query)
            and alignment.subject_start >= 0
            and alignment.subject_start + along_subject == alignment.subject_end <= len(pair.subject)
        ):
            raise EngineError(f"the alignment of subject {subject} with query {query + 1} does not lie where it says")


def _check_worth(
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
        worth = row.paired - scoring.gap_open * gaps - scoring.gap_extend * row.gaps
        for found in (alignment.score, worth):
            if found != score:
                told = f"subject {subject} scored {score} against query {query + 1}, but {found} in its alignment"
                raise EngineError(told)
