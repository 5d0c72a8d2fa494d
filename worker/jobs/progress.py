"""How far a pass over a shard is: simulating, scoring, aligning, then merging, weighed by what each costs (costs.py).

What is told of a pass never falls, and is whole only when the result is stored. Each interval that is long enough, and
each end of a phase, is measured: the costs of the work done in it are learned from. Of pairs and genomes it is the end
alone: while a long pair is computed, or repeats are extended, little is told, which says nothing of what it costs. That
measurement counts as many times as it has taken seconds, so that a long job teaches as much as a long search does.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from shardwater.search.step import Step
from worker.jobs.costs import Experience, Work
from worker.jobs.states import Phase

MEASURED_S = 1.0
"""Within a phase a measurement takes so long: a slice or two say little."""
MOST_TIMES = 30
"""That one measurement is learned from: more would change nothing, since each goes by what the others have changed."""

MOST_SHARE = 0.999
"""The share of a job that is all but done: the result may still be in the making."""

_PHASES: dict[str, Phase] = {"scoring": "scoring", "aligning": "aligning", "merging": "merging"}


@dataclass(frozen=True, slots=True)
class ShardProgress:
    """How far a shard is with a job: a share of its work, the phase, and the seconds left, None where not known."""

    share: float = 0.0
    phase: Phase = "scoring"
    left_s: float | None = None

    def to_text(self) -> str:
        """As it is kept in Redis."""
        return f"{self.share:.6f} {self.phase} {'' if self.left_s is None else f'{self.left_s:.6g}'}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """What to_text wrote, or what a shard says that has just begun, or that an earlier version says: a number.

        Raises ValueError for numbers that no version has written.
        """
        share, _, rest = text.partition(" ")
        phase, _, left = rest.partition(" ")
        if phase not in _PHASES:
            return cls()
        read = cls(float(share), _PHASES[phase], float(left) if left else None)
        if not (0 <= read.share <= 1 and 0 <= (read.left_s or 0) < math.inf):
            raise ValueError("no shard is that far")
        return read


@dataclass(frozen=True, slots=True)
class Rounds:
    """What of a job's work its round is: so much was done before it, so much is done in it, in this phase at least."""

    before: float = 0.0
    share: float = 1.0
    phase: Phase | None = None

    @classmethod
    def of(cls, number: int, planned: int, begun_as: bytes | None) -> Self:
        """Round `number`, from 1, of so many that there are in any case; begun_as: its phase, of a later one.

        A round that was not expected is all but done from its begin on: what was told must not fall.
        """
        share = 1 / planned if number <= planned else 0.0
        # Earlier versions knew no phases of rounds.
        phase = None if begun_as is None else _PHASES.get(begun_as.decode(), "scoring")
        return cls(min(1.0, (number - 1) / planned), share, phase)


ONE_ROUND = Rounds()


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """How far a job is: its shards that have begun in this round, those that have answered, of how many."""

    begun: Mapping[int, ShardProgress]
    done: frozenset[int]
    shards: int
    rounds: Rounds = ONE_ROUND

    @classmethod
    def of(cls, begun: Mapping[bytes, bytes], done: Iterable[bytes], shards: int, rounds: Rounds = ONE_ROUND) -> Self:
        """As it stands in Redis; raises ValueError for what no version has written."""
        read = {int(shard): ShardProgress.from_text(text.decode()) for shard, text in begun.items()}
        answered = frozenset(map(int, done))
        if not all(0 <= shard < shards for shard in (*read, *answered)):
            raise ValueError("there is no such shard")
        return cls(read, answered, shards, rounds)

    @property
    def phase(self) -> Phase:
        """That of the shard that is least far; what has not begun on one waits for it to be scored."""
        least = self.rounds.phase
        if least is None and not self.begun and not self.done:
            return "queued"
        left = [progress.phase for shard, progress in self.begun.items() if shard not in self.done]
        if len(self.begun.keys() | self.done) < self.shards:
            left.append(ShardProgress().phase)
        order = list(_PHASES).index
        return max(min(left, key=order, default="merging"), least or "scoring", key=order)

    @property
    def share(self) -> float:
        """Of all the work: less than 1, since the end is not told by it."""
        shares = sum(progress.share for shard, progress in self.begun.items() if shard not in self.done)
        done = (len(self.done) + shares) / self.shards
        return min(MOST_SHARE, self.rounds.before + self.rounds.share * done)


NOT_BEGUN = SearchProgress({}, frozenset(), 1)


class PassProgress:
    """One pass: what of its work is done, as the engine tells; what that took becomes experience."""

    def __init__(self, work: Work, cells: int, experience: Experience) -> None:
        """Work of all jobs in the pass, and the cells of their scoring."""
        self._work, self._cells, self._experience = work, max(1, cells), experience
        # What is told must not fall when costs change.
        self._weights = experience.costs
        self._scored, self._aligned = 0.0, 0.0
        # Cells, and when the last of them were told.
        self._simulated, self._simulated_s = 0.0, 0.0
        self._measured, self._measured_s = Work(), 0.0
        self._phase: Phase = "scoring"
        self.beyond = 0.0
        """Seconds that were spent on what was not expected."""

    def add(self, step: Step, seconds: float) -> None:
        """What a step has done, so many seconds after the pass began."""
        if step.simulated:
            self.simulated(step.simulated, seconds)
        if step.cells:
            self.scored(step.cells, seconds)
        if step.aligned:
            self.aligned(step.aligned, seconds)
        if step.further:
            self._further(step.further, seconds)

    def simulated(self, cells: int, seconds: float) -> None:
        """So many cells more of a simulation are done."""
        self._simulated, self._simulated_s = self._simulated + cells, seconds
        if seconds - self._measured_s > MEASURED_S:
            self._measure(seconds)

    def scored(self, cells: int, seconds: float) -> None:
        """So many cells more are scored, so many seconds after the pass began."""
        self._end_simulation()
        self._scored = min(1.0, self._scored + cells / self._cells)
        if self._scored >= 1 and self._phase == "scoring":
            self._phase = "aligning"
            self._measure(seconds)
        elif seconds - self._measured_s > MEASURED_S and not self._at_its_end:
            self._measure(seconds)

    def aligned(self, share: float, seconds: float) -> None:
        """So much more of all alignments is made and written out."""
        self._aligned = min(1.0, self._aligned + share)
        if seconds - self._measured_s > MEASURED_S:
            self._measure(seconds)

    def _further(self, share: float, seconds: float) -> None:
        """The same of alignments that were not expected: of what they cost nothing is learned."""
        self._aligned = min(1.0, self._aligned + share)
        self.beyond += seconds - self._measured_s
        self._measured, self._measured_s = self._done, seconds

    def merging(self, seconds: float) -> None:
        """All is found; what is left is to store it."""
        self._end_simulation()
        if self._work.pairs:
            # Its work is the average of its job's parts, and it may have had less.
            self._measure(seconds)
        if self._work.boxed:
            # How many cells a letter's boxes have differs from genome to genome: so it is learned by letters as well.
            self._experience.learn_often(Work(boxed=self._work.boxed), seconds, _times(seconds))
        self._scored = self._aligned = 1.0
        self._phase = "merging"
        self._measure(seconds)

    def ended(self, seconds: float) -> None:
        """The result is stored."""
        self._learn(self._work.merging, seconds)

    @property
    def now(self) -> ShardProgress:
        """How far the pass is."""
        weights, work = self._weights, self._work
        own = replace(self._done, simulated=min(self._simulated, work.simulated))
        done = weights.seconds(own)
        left = self._experience.costs.seconds(Work.sum((work, own.times(-1))))
        return ShardProgress(min(MOST_SHARE, done / weights.seconds(work)), self._phase, max(0.0, left))

    @property
    def _done(self) -> Work:
        done = Work.sum((self._work.scoring.times(self._scored), self._work.aligning.times(self._aligned)))
        return replace(done, simulated=self._simulated)

    @property
    def _at_its_end(self) -> bool:
        """Whether it is measured once."""
        return bool(self._work.pairs or self._work.letters)

    def _end_simulation(self) -> None:
        """What of it is left others have done, or needed not be done: of that nothing is learned."""
        if self._simulated_s > self._measured_s:
            self._measure(self._simulated_s)
        self._simulated = max(self._simulated, self._work.simulated)
        self._measured = replace(self._measured, simulated=self._simulated)

    def _measure(self, seconds: float) -> None:
        done = self._done
        self._learn(Work.sum((done, self._measured.times(-1))), seconds)
        self._measured = done

    def _learn(self, work: Work, seconds: float) -> None:
        taken = seconds - self._measured_s
        self._experience.learn_often(work, taken, _times(taken) if self._at_its_end else 1)
        self._measured_s = seconds


def _times(seconds: float) -> int:
    """How often a measurement that is made once counts."""
    return min(MOST_TIMES, max(1, int(seconds / MEASURED_S)))
