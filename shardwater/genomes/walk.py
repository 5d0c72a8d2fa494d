"""How extensions go along two strands on a CPU: how far at once where all is equal, and how far in all.

32 letters at a time take numpy some nanoseconds a letter; compared as bytes, side by side, a hundredth of that. So what
is repeated for megabases is passed in leaps. What it all comes to is bounded: a repeat that is not quite equal has no
leaps, and one that is has many.
"""

from dataclasses import dataclass, field
from typing import Self

from shardwater.genomes.comparison import ComparisonError
from shardwater.genomes.strands import UNKNOWN, Strand

MOST_LETTERS = 1 << 35
"""That the extensions of a part look at: some minutes of a core."""
LEAPT = 64
"""So many letters that are passed in leaps count as one."""
FIRST, LEAST, MOST = 1 << 12, 1 << 8, 1 << 20
"""Letters of the first leap, the shortest and the longest."""


@dataclass(slots=True, eq=False)
class Walk:
    """The letters of two strands; left: how many may still be looked at."""

    _ours: bytes
    _theirs: memoryview
    left: int = field(default_factory=lambda: MOST_LETTERS)

    @classmethod
    def of(cls, query: Strand, subject: Strand) -> Self:
        """That of two strands; unknown letters equal nothing, and so each other neither."""
        theirs = subject.codes.tobytes().replace(bytes([UNKNOWN]), bytes([UNKNOWN + 1]))
        return cls(query.codes.tobytes(), memoryview(theirs))

    def look(self, letters: int) -> None:
        """Count letters that are looked at. Raises ComparisonError where they are too many."""
        self.left -= letters
        if self.left < 0:
            raise ComparisonError(
                f"repeated words match along more than {MOST_LETTERS:,} letters, too many for a CPU: set "
                "max_frequency, or mask repeats as N"
            )

    def leap(self, x: int, y: int, room: int, way: int) -> int:
        """About how many letters from here on are equal, never more, of so many; way: 1 to the right, -1 to the left.

        x, y: of the first letter on the right, of the one behind it on the left. Raises ComparisonError.
        """
        passed, size, most = 0, FIRST, MOST
        while (size := min(size, room - passed)) >= LEAST:
            shift = passed if way > 0 else -passed - size
            if self._ours.startswith(self._theirs[y + shift : y + shift + size], x + shift):
                passed, size = passed + size, min(most, 2 * size)
            else:
                # What is not equal lies within that.
                size = most = size // 2
        self.look(passed // LEAPT)
        return passed
