"""What a search answers, put together from the parts of a shard while the next ones are scored."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gpu.database.choices import LeftOut
from gpu.database.resident import Part, ResidentShard
from gpu.launch.workspace import Workspace
from gpu.layout import LAST_SUBJECT, SUBJECT_BITS
from gpu.score.scorer import DeviceCounts
from gpu.score.selection import Best, Census, Copied, FetchedKeys
from shardwater.database.database import Shard
from shardwater.engines.engine import Found, ScoreRun, Slice, Survey
from shardwater.engines.extent import NOTHING, Extent
from shardwater.search.cuts import Cut, LeastScores, reaching
from shardwater.search.hits import Score
from shardwater.statistics.distribution import Counts

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scored:
    """A query whose scores of a part are queued; left_out: who is none of the search's."""

    number: int
    part: Part
    space: Workspace
    counts: DeviceCounts
    left_out: LeftOut | None = None


class Answers(Protocol):
    """What is asked of all scores. Parts of a query may come in any order; it is answered after its last one."""

    @property
    def rescored(self) -> int:
        """Subjects whose scores 16 bits could not hold, over all queries."""
        ...

    def queue(self, scored: Scored) -> None:
        """Queue what looks at the scores, on the current stream."""
        ...

    def free(self, workspaces: int) -> None:
        """Look at what has been counted, but for the last so many parts: the device has these to do meanwhile."""
        ...

    def take(self, most: int) -> Slice[Any]:
        """Wait until no more than so many looks are under way; what is answered and handed out by that."""
        ...


class BestAnswers:
    """The best subjects of each query by score."""

    def __init__(self, shard: Shard, parts: int, queries: int, top: int) -> None:
        self._shard, self._top = shard, top
        self._keys = [np.zeros(0, np.int64) for _ in range(queries)]
        self._looked = _Looked(parts, queries)
        self._coming: deque[tuple[Scored, Best]] = deque()

    @property
    def rescored(self) -> int:
        """Subjects whose scores 16 bits could not hold."""
        return self._looked.rescored

    def queue(self, scored: Scored) -> None:
        """Queue the selection of the best."""
        self._coming.append((scored, Best(scored.space.scores, scored.part.first, self._top)))

    def free(self, workspaces: int) -> None:
        """Nothing to wait for: the selection is queued before what is scored next."""

    def take(self, most: int) -> Slice[Found]:
        """The queries that are answered."""
        while len(self._coming) > most:
            scored, best = self._coming.popleft()
            number = scored.number
            self._keys[number] = np.sort(np.concatenate((self._keys[number], best.keys())))[::-1][: self._top]
            self._looked.add(scored)
        return Slice(answers=[(number, self._found(number)) for number in self._looked.complete()])

    def _found(self, number: int) -> Found:
        keys = self._keys[number]
        subjects = self._shard.numbers(LAST_SUBJECT - (keys & LAST_SUBJECT))
        best = list(map(Score, subjects.tolist(), (keys >> SUBJECT_BITS).tolist()))
        return Found(best, self._looked.extents[number])


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """Parts of a query that are cut together, and what they were counted by.

    last: how many parts of all queries had been queued with these.
    """

    number: int
    last: int
    scored: Sequence[Scored]
    census: Census
    keys: list[FetchedKeys] = field(default_factory=list)


class SurveyAnswers:
    """The counts of all subjects for each query, and those that its cut wants: it is asked once they are counted.

    Of all parts together, as long as they stay on the device: what the cut knows of the whole shard may leave out far
    more than what it knows of a part. Of parts that are streamed the scores of all queries would have to be kept: each
    is cut by its own counts. handed: whether all scores go out, too.
    """

    def __init__(self, resident: ResidentShard, cuts: Sequence[Cut], edges: Any, handed: bool) -> None:
        self._shard, self._cuts, self._edges, self._handed = resident.shard, cuts, edges, handed
        self._together = 1 if resident.streams else len(resident)
        self._queued = 0
        self._found: list[list[Keys]] = [[] for _ in cuts]
        self._counts: list[list[Counts]] = [[] for _ in cuts]
        self._leasts: list[list[LeastScores]] = [[] for _ in cuts]
        self._looked = _Looked(len(resident), len(cuts))
        self._scored: list[Scored] = []
        self._census = Census(edges)
        self._counting: deque[_Look] = deque()
        self._coming: deque[_Look] = deque()
        self._copied: deque[tuple[int, int, Copied]] = deque()
        self._handed_out = [0 for _ in cuts]

    @property
    def rescored(self) -> int:
        """Subjects whose scores 16 bits could not hold."""
        return self._looked.rescored

    def queue(self, scored: Scored) -> None:
        """Queue the counting, and the copy of what is handed out."""
        self._queued += 1
        if self._handed:
            self._copied.append((self._queued, scored.number, Copied(scored.space.scores, scored.left_out)))
        self._census.add(scored.part, scored.space.scores, scored.left_out)
        self._scored.append(scored)
        if len(self._scored) == self._together:
            self._census.end()
            self._counting.append(_Look(scored.number, self._queued, self._scored, self._census))
            self._scored, self._census = [], Census(self._edges)

    def free(self, workspaces: int) -> None:
        """Ask the cuts of what has been counted, and queue what finds the subjects that they want."""
        while self._counting and self._counting[0].last <= self._queued - workspaces:
            look = self._counting.popleft()
            counts = look.census.counts()
            least = self._cuts[look.number](counts)
            look.keys.extend(look.census.wanted(least, reaching(counts, least)))
            self._coming.append(look)
            self._counts[look.number].append(counts)
            self._leasts[look.number].append(least)

    def take(self, most: int) -> Slice[Survey]:
        """The queries that are answered, and the scores of the parts that were looked at."""
        runs = []
        while self._copied and self._copied[0][0] <= self._queued - most:
            _, number, copied = self._copied.popleft()
            # Parts are queued in the order of the shard.
            runs.append(ScoreRun(number, self._handed_out[number], copied.get()))
            self._handed_out[number] += len(runs[-1].scores)
        while self._coming and self._coming[0].last <= self._queued - most:
            look = self._coming.popleft()
            self._found[look.number] += [keys.get() for keys in look.keys]
            for scored in look.scored:
                self._looked.add(scored)
        return Slice(answers=[(number, self._survey(number)) for number in self._looked.complete()], scores=runs)

    def _survey(self, number: int) -> Survey:
        keys = np.concatenate([np.zeros(0, np.int64), *self._found[number]])
        counts, leasts, shard = Counts.sum(self._counts[number]), self._leasts[number], self._shard
        # Each part was cut by its own counts, which wants no less than those of all parts.
        least = leasts[0] if len(leasts) == 1 else self._cuts[number](counts)
        places, scores = LAST_SUBJECT - (keys & LAST_SUBJECT), keys >> SUBJECT_BITS
        subjects = shard.numbers(places)
        # Of a thousand queries, those that are answered must not stay.
        self._found[number], self._counts[number], self._leasts[number] = [], [], []
        return Survey.among(subjects, shard.lengths[places], scores, self._looked.extents[number], counts, least)


class _Looked:
    """What was scored for each query, as the device has counted it, and how many parts it still lacks."""

    def __init__(self, parts: int, queries: int) -> None:
        self.extents = [NOTHING for _ in range(queries)]
        self.rescored = 0
        self._parts = [parts] * queries
        # An empty shard has no parts.
        self._complete = [] if parts else list(range(queries))

    def add(self, scored: Scored) -> None:
        """Count a part of a query."""
        one, other, number = self.extents[scored.number], scored.counts.extent(), scored.number
        self.extents[number] = Extent(
            one.subjects + other.subjects, one.residues + other.residues, one.cells + other.cells
        )
        self.rescored += scored.counts.rescored()
        self._parts[number] -= 1
        if self._parts[number] == 0:
            self._complete.append(number)

    def complete(self) -> list[int]:
        """The queries that have become complete since the last call."""
        complete, self._complete = self._complete, []
        return complete
