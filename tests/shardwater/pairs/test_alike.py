"""Which pairs a CPU aligns in bands, and that their alignments are those of all cells."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.band import LAST, lanes_for
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.striped import align_pair
from shardwater.pairs import alike, cpu
from shardwater.pairs.alike import Alike
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.coded import CodedPair
from shardwater.pairs.cpu import CpuPairs
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabets import DNA
from tests.support.pairs import aligned

BLASTN = Scheme(match_table(2, -3), 5, 2, Mode.LOCAL)
MEMORY = 64 << 20


def changed(rng: np.random.Generator, codes: npt.NDArray[np.uint8], share: float) -> npt.NDArray[np.uint8]:
    return np.where(rng.random(len(codes)) < share, rng.integers(0, 4, len(codes), np.uint8), codes)


def hard_pairs() -> list[CodedPair]:
    """Alike ones, some of which the first band does not prove, and others that are not worth one."""
    rng, pairs = np.random.default_rng(2), []
    for share in (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5):
        for letters in (900, 1_000, 1_100):
            one = rng.integers(0, 4, letters, np.uint8)
            other = changed(rng, one, share)
            pairs.append(CodedPair(one, np.delete(other, slice(400, 405))))
            # Turned round within, unknown within, repeated, and with a long gap.
            turned, unknown = other.copy(), other.copy()
            turned[300:500], unknown[300:600] = 3 - other[300:500][::-1], DNA.letters.index("N")
            repeated = np.concatenate((other[:800], other[600:800], other[800:]))
            shifted = np.concatenate((other[:800], rng.integers(0, 4, 90, np.uint8), other[800:]))[:letters]
            pairs += [CodedPair(one, each) for each in (turned, unknown, repeated, shifted)]
    return pairs


def test_alignments_in_bands_are_those_of_all_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "LETTER_CELLS", 1)
    whole, pairs, others = cpu._whole, hard_pairs(), list[CodedPair]()

    def all_cells(pair: CodedPair, *rest: Any) -> Alignment | None:
        others.append(pair)
        return whole(pair, *rest)

    monkeypatch.setattr(cpu, "_whole", all_cells)
    found = aligned(CpuPairs(2), pairs, BLASTN)
    assert found == [align_pair(pair.query, pair.subject, BLASTN) for pair in pairs]
    assert 20 < len(others) < len(pairs) - 20


def batch(*lengths: int, share: float = 0.05) -> PairBatch:
    rng = np.random.default_rng(3)
    ones = [rng.integers(0, 4, length, np.uint8) for length in lengths]
    return PairBatch.of([CodedPair(one, changed(rng, one, share)) for one in ones])


def test_pairs_of_like_length_share_a_band() -> None:
    chosen = Alike.of(BLASTN, "alignment", MEMORY)
    assert chosen is not None
    many = [*range(5_000, 5_130), 699]
    parts = list(chosen.parts(batch(*reversed(many)), range(131), LAST))
    # The longest first, as many as memory has room for; the last is too short.
    assert sorted(number for part in parts for number in part) == list(range(1, 131))
    assert parts[0][0] == 1
    assert max(map(len, parts)) * 5_000 * 66 * 2 < MEMORY


def test_short_pairs_share_the_lanes_of_a_long_one() -> None:
    chosen = Alike.of(BLASTN, "alignment", MEMORY)
    assert chosen is not None
    [part] = chosen.parts(batch(*[1_000] * 40, 12_000), range(41), LAST)
    assert part == [40, *range(40)]
    # A lane of the long pair has room for eleven of the others.
    assert len({place.lane for place in lanes_for(12_000).places([12_000, *[1_000] * 40])}) == 5


def test_pairs_that_are_not_worth_it_have_no_band() -> None:
    chosen = Alike.of(BLASTN, "alignment", MEMORY)
    assert chosen is not None
    # One alone, which parasail fills sooner; unlike ones; and one that memory has no room for.
    for pairs in (batch(2_000), batch(*[1_000] * 100, share=0.5), batch(300_000)):
        assert list(chosen.parts(pairs, range(len(pairs)), LAST)) == []
    assert list(chosen.parts(batch(12_000), [0], LAST)) == [[0]]
    assert Alike.of(BLASTN, "score", MEMORY) is None
