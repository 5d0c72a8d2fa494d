"""Where sequences have the repeats that an adjusted E-value goes by, known from one round of a search to the next.

Looking takes a fifth of the time that a round's hits take, and most hits were hits of the round before.
"""

import hashlib
from collections.abc import Iterable, Mapping

from shardwater.sequences.alphabet import encode
from shardwater.sequences.masking import tantan
from shardwater.sequences.masking.masks import Masks

LONGEST_PERIOD, LEAST_CERTAIN = 30, 0.7
"""Repeats that are looked for: of shorter periods than tantan masks, and more certain. Longer ones, as those of
ankyrins, make families that should be found."""
DIGEST_BYTES = 16
"""Of a sequence's digest: no two sequences share one."""
MOST_LETTERS = 1 << 25
"""Letters of all sequences of which is known where they have repeats: more are looked at each time."""


class KnownRepeats:
    """Which letters of sequences lie in repeats; each sequence is looked at once, as far as MOST_LETTERS go."""

    def __init__(self, masks: Mapping[bytes, Masks] | None = None) -> None:
        """masks: those of a round before."""
        self._masks = dict(masks or {})
        self._letters = sum(map(len, self._masks.values()))

    @property
    def masks(self) -> Mapping[bytes, Masks]:
        """The mask of each sequence that has been looked at, by the sequence's digest."""
        return self._masks

    def of(self, sequences: Iterable[bytes]) -> dict[bytes, Masks]:
        """The mask of each of these, of ASCII letters."""
        digests = {each: _digest(each) for each in dict.fromkeys(sequences)}
        new = [each for each, digest in digests.items() if not self._knows(each, digest)]
        found = dict(zip(new, tantan.repeats(list(map(encode, new)), LONGEST_PERIOD, LEAST_CERTAIN), strict=True))
        masks = {each: found[each] if each in found else self._masks[digest] for each, digest in digests.items()}
        for each, mask in found.items():
            if self._letters + len(mask) <= MOST_LETTERS:
                self._letters += len(mask)
                self._masks[digests[each]] = mask
        return masks

    def _knows(self, sequence: bytes, digest: bytes) -> bool:
        # One of other letters may come out of a damaged file.
        return digest in self._masks and len(self._masks[digest]) == len(sequence)


def _digest(sequence: bytes) -> bytes:
    return hashlib.blake2b(sequence, digest_size=DIGEST_BYTES).digest()
