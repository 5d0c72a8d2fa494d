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
        (Mode.LOCAL, "sw", ["sw_trace"]),
        (Mode.GLOBAL, "nw", ["nw_trace"]),
        (Mode.SEMI_GLOBAL, "sg", ["sg_trace"]),
    ],
    ids=["local", "global", "semi-global"],
)
def test_a_pair_that_ends_in_the_last_column_takes_one_call(
    mode: Mode, scored: str, aligned: Sequence[str], differing: float, counted: Counted
) -> None:
    scheme = Scheme(match_table(2, -1), 1, 1, mode)
    score_pair(*pair(differing), scheme)
    assert counted.kinds == [scored]
    counted.calls.clear()
    align_pair(*pair(differing), scheme)
    assert counted.kinds == aligned


@pytest.mark.parametrize(
    ("mode", "aligned"),
    [(Mode.LOCAL, ["sw_trace", "sw"]), (Mode.SEMI_GLOBAL, ["sg_trace", "sg_qb_db_rowcol"])],
    ids=["local", "semi-global"],
)
def test_the_end_of_another_pair_takes_a_second_call(mode: Mode, aligned: Sequence[str], counted: Counted) -> None:
    query, subject = pair(0.1)
    align_pair(query[:600], subject, Scheme(match_table(2, -1), 1, 1, mode))
    assert counted.kinds == aligned


def test_unrelated_letters_without_gaps_need_no_trace(counted: Counted) -> None:
    align_pair(*pair(1.0, 20), Scheme(match_table(2, -3), 5, 2))
    assert counted.calls == ["sw_striped_8"]


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
