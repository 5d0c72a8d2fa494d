"""How often parasail is called for a pair on a CPU, and how much else is done for it: counts in place of seconds."""

from collections.abc import Sequence

import numpy as np
import pytest

pytest.importorskip("parasail", reason="there is no parasail for this processor")
import parasail

from shardwater.alignment import striped, trace
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.striped import align_pair, score_pair
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabet import Codes


class Counted:
    """parasail, and what was called of it."""

    def __init__(self) -> None:
        self.calls = list[str]()

    def __getattr__(self, name: str) -> object:
        self.calls.append(name)
        return getattr(parasail, name)

    @property
    def kinds(self) -> list[str]:
        """The calls without kernels and bits."""
        return [call.rsplit("_", 2)[0] for call in self.calls]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    made = Counted()
    monkeypatch.setattr(striped, "parasail", made)
    return made


def pair(differing: float, letters: int = 1000) -> tuple[Codes, Codes]:
    rng = np.random.default_rng(5)
    query, others = rng.integers(0, 4, (2, letters)).astype(np.uint8)
    return query, np.where(rng.random(letters) < differing, others, query)[rng.random(letters) > differing / 5]


@pytest.mark.parametrize("differing", [0.1, 0.4, 1.0])
@pytest.mark.parametrize(
    ("mode", "scored", "aligned"),
    [
        (Mode.LOCAL, ["sw"], ["sw", "sw_trace"]),
        (Mode.GLOBAL, ["nw"], ["nw_trace"]),
        (Mode.SEMI_GLOBAL, ["sg"], ["sg_qb_db_rowcol", "sg_qb_db_trace"]),
    ],
    ids=["local", "global", "semi-global"],
)
def test_a_pair_takes_a_call_for_its_end_and_one_for_its_way_back(
    mode: Mode, scored: Sequence[str], aligned: Sequence[str], differing: float, counted: Counted
) -> None:
    scheme = Scheme(match_table(2, -1), 1, 1, mode)
    score_pair(*pair(differing), scheme)
    assert counted.kinds == scored
    counted.calls.clear()
    align_pair(*pair(differing), scheme)
    assert counted.kinds == aligned


def test_a_pair_without_gaps_needs_no_way_back(counted: Counted) -> None:
    query, _ = pair(0)
    align_pair(query, query[100:900], Scheme(match_table(2, -3), 5, 2))
    assert "sw_trace" not in counted.kinds


@pytest.mark.parametrize(("differing", "most"), [(0.1, 200), (0.4, 1000), (1.0, 2000)])
@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL], ids=str)
def test_h_is_asked_for_in_few_cells(mode: Mode, differing: float, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a million."""
    walks = list[trace._Walk]()
    walk = trace._Walk
    monkeypatch.setattr(trace, "_Walk", lambda *args: walks.append(walk(*args)) or walks[-1])
    align_pair(*pair(differing), Scheme(match_table(2, -1), 1, 1, mode))
    assert sum(len(each._known) for each in walks) < most
    assert len(walks) == 1 or differing < 0.2


@pytest.mark.parametrize(("differing", "calls"), [(1.0, ["sw_striped_8"]), (0.1, ["sw_striped_8", "sw_scan_16"])])
def test_8_bits_are_tried_first_where_gaps_are_dear(differing: float, calls: Sequence[str], counted: Counted) -> None:
    score_pair(*pair(differing), Scheme(match_table(2, -3), 5, 2))
    assert counted.calls == calls
