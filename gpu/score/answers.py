"""What a search answers, put together from the parts of a shard while the next ones are scored."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gpu.database.choices import LeftOut
from gpu.database.resident import Part
from gpu.launch.workspace import Workspace
from gpu.layout import LAST_SUBJECT, SUBJECT_BITS
from gpu.score.scorer import Scorer
from gpu.score.selection import Best, Census, Copied
from shardwater.database.database import Shard
from shardwater.engines.engine import Found, ScoreRun, Slice, Survey
from shardwater.engines.extent import NOTHING, Extent
from shardwater.search.cuts import Cut, LeastScores
from shardwater.search.hits import Score
from shardwater.statistics.distribution import Counts

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scored:
    """A query whose scores of a part are queued, and will be in a workspace until that is used again; left_out: who is
    none of the search's.
    """

    number: int
    part: Part
    space: Workspace
    scorer: Scorer
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
        """Wait until no more than so many workspaces have scores that are still to be looked at."""
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


class SurveyAnswers:
    """The counts of all subjects for each query, and those that its cut wants: it is asked once they are counted.

    handed: whether all scores go out, too: those of a part, with its looks.
    """

    def __init__(self, shard: Shard, parts: int, cuts: Sequence[Cut], edges: Any, handed: bool) -> None:
        self._shard, self._cuts, self._edges, self._handed = shard, cuts, edges, handed
        self._keys: list[list[Keys]] = [[] for _ in cuts]
        self._counts: list[list[Counts]] = [[] for _ in cuts]
        self._leasts: list[list[LeastScores]] = [[] for _ in cuts]
        self._looked = _Looked(parts, len(cuts))
        self._counting: deque[tuple[Scored, Census]] = deque()
        self._coming: deque[tuple[Scored, Any]] = deque()
        self._copied: deque[Copied] = deque()
        self._handed_out = [0 for _ in cuts]

    @property
    def rescored(self) -> int:
        """Subjects whose scores 16 bits could not hold."""
        return self._looked.rescored

    def queue(self, scored: Scored) -> None:
        """Queue the counting, and the copy of what is handed out: before the workspace is used again."""
        if self._handed:
            self._copied.append(Copied(scored.space.scores, scored.left_out))
        self._counting.append((scored, Census(scored.space.scores, scored.part, self._edges, scored.left_out)))

    def free(self, workspaces: int) -> None:
        """Ask the cuts of what has been counted, and queue what finds the subjects that they want."""
        while len(self._counting) > workspaces:
            scored, census = self._counting.popleft()
            counts = census.counts()
            least = self._cuts[scored.number](counts)
            self._coming.append((scored, census.wanted(least)))
            self._counts[scored.number].append(counts)
            self._leasts[scored.number].append(least)

    def take(self, most: int) -> Slice[Survey]:
        """The queries that are answered, and the scores of the parts that were looked at."""
        runs = []
        while len(self._coming) > most:
            scored, keys = self._coming.popleft()
            self._keys[scored.number].append(keys.get())
            self._looked.add(scored)
            if self._handed:
                # Parts are looked at in the order in which they were scored.
                scores = self._copied.popleft().get()
                runs.append(ScoreRun(scored.number, self._handed_out[scored.number], scores))
                self._handed_out[scored.number] += len(scores)
        return Slice(answers=[(number, self._survey(number)) for number in self._looked.complete()], scores=runs)

    def _survey(self, number: int) -> Survey:
        keys = np.concatenate([np.zeros(0, np.int64), *self._keys[number]])
        counts, leasts, shard = Counts.sum(self._counts[number]), self._leasts[number], self._shard
        # Each part was cut by its own counts, which wants no less than those of all parts.
        least = leasts[0] if len(leasts) == 1 else self._cuts[number](counts)
        places, scores = LAST_SUBJECT - (keys & LAST_SUBJECT), keys >> SUBJECT_BITS
        subjects = shard.numbers(places)
        # Of a thousand queries, those that are answered must not stay.
        self._keys[number], self._counts[number], self._leasts[number] = [], [], []
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
        one, other, number = self.extents[scored.number], scored.scorer.extent(), scored.number
        self.extents[number] = Extent(
            one.subjects + other.subjects, one.residues + other.residues, one.cells + other.cells
        )
        self.rescored += scored.scorer.rescored()
        self._parts[number] -= 1
        if self._parts[number] == 0:
            self._complete.append(number)

    def complete(self) -> list[int]:
        """The queries that have become complete since the last call."""
        complete, self._complete = self._complete, []
        return complete
