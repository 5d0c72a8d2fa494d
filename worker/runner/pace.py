"""How fast this worker is, and when it last got on."""

import time
from dataclasses import dataclass, field

from worker.jobs.costs import PASS_S, Costs, Experience, Room

STALLED_S = 120
"""A job that has not got on for so long hangs: the longest step that tells of nothing takes a tenth of it."""


@dataclass(slots=True)
class Pace:
    """What work costs here, residues of the shard; kept by the thread that works, read by the heart too."""

    experience: Experience
    residues: int
    _moved: float = field(default_factory=time.monotonic)

    @property
    def costs(self) -> Costs:
        """As they were last learned."""
        return self.experience.costs

    @property
    def room(self) -> Room:
        """What goes in one pass."""
        return Room(PASS_S, self.costs)

    @property
    def rate(self) -> float:
        """Cells a second in a long query."""
        return self.residues / self.costs.residue

    def moved(self) -> None:
        """Something was done."""
        self._moved = time.monotonic()

    @property
    def stalled(self) -> bool:
        """Whether nothing was done for too long, where a job is under way."""
        return time.monotonic() - self._moved > STALLED_S
