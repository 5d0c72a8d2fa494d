"""How fast this worker is, and when it last got on."""

import time
from dataclasses import dataclass, field

PASS_S = 0.2
"""Searches are done in one pass up to so much work, in seconds: those in it wait for each other."""
STALLED_S = 120
"""A job that has not got on for so long hangs: the longest step that tells of nothing takes a tenth of it."""


@dataclass(slots=True)
class Pace:
    """Cells a second, residues of the shard; kept by the thread that works, read by the heart too."""

    rate: float
    residues: int
    _moved: float = field(default_factory=time.monotonic)

    @property
    def room(self) -> int:
        """Query residues that are done in about PASS_S."""
        return int(self.rate * PASS_S / max(1, self.residues))

    def moved(self) -> None:
        """Something was done."""
        self._moved = time.monotonic()

    @property
    def stalled(self) -> bool:
        """Whether nothing was done for too long, where a job is under way."""
        return time.monotonic() - self._moved > STALLED_S
