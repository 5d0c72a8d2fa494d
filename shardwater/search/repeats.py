"""Where sequences have the repeats that an adjusted E-value goes by, each looked at once in all rounds of a search.

To look is a fifth of what the hits of a round cost, and most of them were hits of the round before.
"""

import hashlib
from collections.abc import Mapping, Sequence

from shardwater.sequences.alphabet import encode
from shardwater.sequences.masking.masks import Masks
from shardwater.sequences.masking.tantan import repeats

LONGEST_PERIOD, LEAST_CERTAIN = 30, 0.7
"""Repeats that are looked for: of shorter periods than tantan masks, and more certain. Longer ones, as those of
ankyrins, make families that should be found."""
DIGEST_BYTES = 16


class Repeats:
    """Which letters of sequences lie in repeats."""

    def __init__(self, known: Mapping[bytes, Masks] | None = None) -> None:
        """known: as the property has it."""
        self._masks = dict(known or {})

    @property
    def known(self) -> Mapping[bytes, Masks]:
        """The mask of each sequence that has been looked at, by the sequence's digest."""
        return self._masks

    def of(self, sequences: Sequence[bytes]) -> dict[bytes, Masks]:
        """The mask of each of these, of ASCII letters."""
        digests = {each: hashlib.blake2b(each, digest_size=DIGEST_BYTES).digest() for each in sequences}
        new = [each for each, digest in digests.items() if digest not in self._masks]
        found = repeats([encode(each) for each in new], LONGEST_PERIOD, LEAST_CERTAIN)
        self._masks.update(zip(map(digests.__getitem__, new), found, strict=True))
        return {each: self._masks[digest] for each, digest in digests.items()}
