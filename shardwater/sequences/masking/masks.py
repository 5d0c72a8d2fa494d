"""Which letters of sequences are masked, by the rule that was asked for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from shardwater.sequences.alphabet import encode
from shardwater.sequences.masking.seg import low_complexity
from shardwater.sequences.masking.tantan import repeats

Mask = Literal["none", "soft", "seg", "tantan"]
Masks = npt.NDArray[np.bool_]


def masks_of(sequences: Sequence[bytes], mask: Mask) -> list[Masks]:
    """Which letters of each sequence are masked, one truth for a letter.

    sequences: ASCII letters of either case. `soft` masks those in lower case, `none` no letter.
    """
    return _RULES[mask](sequences)


def runs_of(mask: Masks) -> npt.NDArray[np.int64]:
    """Where masked letters that follow one another begin, and where they have ended, (run, 2)."""
    changes: npt.NDArray[np.int64] = np.flatnonzero(np.diff(mask, prepend=False, append=False)).reshape(-1, 2)
    return changes


def _none(sequences: Sequence[bytes]) -> list[Masks]:
    return [np.zeros(len(each), np.bool_) for each in sequences]


def _soft(sequences: Sequence[bytes]) -> list[Masks]:
    letters = [np.frombuffer(each, np.uint8) for each in sequences]
    return [(each >= ord("a")) & (each <= ord("z")) for each in letters]


def _seg(sequences: Sequence[bytes]) -> list[Masks]:
    return [low_complexity(encode(each)) for each in sequences]


def _tantan(sequences: Sequence[bytes]) -> list[Masks]:
    return repeats([encode(each) for each in sequences])


_RULES: Mapping[Mask, Callable[[Sequence[bytes]], list[Masks]]] = {
    "none": _none,
    "soft": _soft,
    "seg": _seg,
    "tantan": _tantan,
}
