"""What a query needs on the device while a part is scored: streams and scratch."""

from typing import Any

import cupy

from gpu.database.resident import Part
from gpu.layout import GROUPS, PIECE_WORDS

SIDE_STREAMS = 3
COUNTERS = 6
"""Words of `counted` before the launches' counters: subjects and residues scored, two lists' lengths."""


class Workspace:
    """Streams and scratch for one query at a time; a second one fills the device while the first one's launches end."""

    def __init__(self, priority: int = 0) -> None:
        """Launches of a lower priority go first when a multiprocessor falls free."""
        self.stream = cupy.cuda.Stream(non_blocking=True, priority=priority)
        # What waits there is little, and takes long.
        self._beside = [cupy.cuda.Stream(non_blocking=True, priority=priority - 1) for _ in range(SIDE_STREAMS)]
        self._branched: list[Any] = []
        self._arrays: dict[str, Any] = {}
        self._used = 0
        self.scores: Any = None

    def use(self, part: Part, launches: int) -> None:
        """Make room for a part and so many launches, and clear what is counted up from zero.

        What was made for a larger part will do. Each launch has a counter of its own, zeroed here: later, the streams
        beside the main one would not wait for it.
        """
        pairs = part.packs.slots.shape[0] * GROUPS
        with self.stream:
            self.border = self._array("border", part.packs.total_rows * GROUPS * 2, cupy.uint32)
            self.best = self._array("best", pairs, cupy.uint32)
            self.rescored = [
                self._array(f"rescored {n}", PIECE_WORDS * len(part), cupy.int32).reshape(-1, PIECE_WORDS)
                for n in range(2)
            ]
            # Another array each time: who looks at the scores may keep them until those of other parts are there.
            self.scores = None
            self.scores = cupy.empty(len(part), cupy.int32)
            # -1: not scored (kernels/score/extent.cu).
            self.scores.data.memset_async(0xFF, self.scores.nbytes, self.stream)
            self.counted = self._array("counted", COUNTERS + launches, cupy.int32)
            self.counted.data.memset_async(0, self.counted.nbytes, self.stream)
            self._ready = self.stream.record()
        self.scored = self.counted[:4].view(cupy.uint64)
        self.rescored_counts = self.counted[4:COUNTERS]
        self._used = 0

    def _array(self, name: str, size: int, dtype: Any) -> Any:
        if name not in self._arrays or self._arrays[name].size < size:
            self._arrays.pop(name, None)
            self._arrays[name] = cupy.empty(size, dtype)
        return self._arrays[name][:size]

    def counter(self) -> Any:
        """A zero for the next launch to count from; those of all launches follow each other in `counted`."""
        assert COUNTERS + self._used < len(self.counted)
        self._used += 1
        return self.counted[COUNTERS + self._used - 1 :]

    def beside(self, number: int) -> Any:
        """A stream for work beside that of the main one since use()."""
        branch = self._beside[number]
        branch.wait_event(self._ready)
        self._branched.append(branch)
        return branch

    def join(self) -> None:
        """Let the main stream wait for those beside it."""
        while self._branched:
            self.stream.wait_event(self._branched.pop().record())

    def synchronize(self) -> None:
        """Return when nothing is under way in any stream."""
        # The main stream waits for those that have joined it.
        for stream in (self.stream, *self._branched):
            stream.synchronize()
        self._branched.clear()
