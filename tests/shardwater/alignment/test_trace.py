"""trace.py against gotoh.py: the same runs where gaps tie, and gotoh.py itself where H is asked for too often."""

import numpy as np
import pytest

pytest.importorskip("parasail", reason="there is no parasail for this processor")
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment import striped, trace
from shardwater.alignment.gotoh import align_batch
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.striped import align_pair
from shardwater.scoring.table import match_table, matrix_table
from tests.support.schemes import MODES, TABLES

GAPS = [(0, 0), (0, 1), (1, 0), (3, 0), (1, 1), (2, 1), (1, 3), (4, 1), (5, 2), (300, 40)]
BITS = [{16: 30_000, 32: 1 << 30}, {32: 1 << 30}]
repeats = st.builds(
    lambda unit, count: unit * count, st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(1, 12)
)
tying = st.one_of(
    st.lists(st.integers(0, 1), min_size=1, max_size=60), st.lists(st.integers(0, 3), min_size=1, max_size=60), repeats
)


@settings(max_examples=600, deadline=None)
@given(tying, tying, st.sampled_from(TABLES), st.sampled_from(GAPS), st.sampled_from(MODES), st.sampled_from(BITS))
def test_ties_end_as_in_gotoh(
    query: list[int], subject: list[int], table: object, gaps: tuple[int, int], mode: Mode, bits: dict[int, int]
) -> None:
    one, two = np.array(query, np.uint8), np.array(subject, np.uint8)
    scheme = Scheme(table, *gaps, mode)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(striped, "MOST", bits)
        assert align_pair(one, two, scheme) == align_batch(one, [two], scheme)[0]


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL], ids=str)
@pytest.mark.parametrize("letters", [2, 4, 20])
@pytest.mark.parametrize("differing", [0.1, 0.4, 1.0])
@pytest.mark.parametrize("gaps", [(1, 1), (4, 1), (11, 1), (0, 2)])
def test_long_ties_end_as_in_gotoh(mode: Mode, letters: int, differing: float, gaps: tuple[int, int]) -> None:
    rng = np.random.default_rng(letters)
    table = matrix_table("BLOSUM62") if letters == 20 else match_table(2, -1)
    query = rng.integers(0, letters, 350).astype(np.uint8)
    others = rng.integers(0, letters, len(query)).astype(np.uint8)
    subject = np.where(rng.random(len(query)) < differing, others, query)[rng.random(len(query)) > differing / 5]
    subject = np.concatenate((others[:40], subject[:150], others[:7], subject[150:]))
    scheme = Scheme(table, *gaps, mode)
    for one, two in ((query, subject), (subject, query)):
        assert align_pair(one, two, scheme) == align_batch(one, [two], scheme)[0]


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL], ids=str)
def test_where_h_is_asked_for_too_often_all_of_it_is_found(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    query, subject = rng.integers(0, 4, (2, 300)).astype(np.uint8)
    scheme, found = Scheme(match_table(2, -1), 1, 1, mode), list[object]()
    way_back = trace.way_back

    def seen(*args: object) -> object:
        found.append(args[4:])
        return way_back(*args)

    monkeypatch.setattr(striped, "way_back", seen)
    expected = align_batch(query, [subject], scheme)[0]
    assert align_pair(query, subject, scheme) == expected
    assert found == [()]
    monkeypatch.setattr(trace, "LEAST_STEPS", 0)
    monkeypatch.setattr(trace, "CELLS_A_STEP", 1 << 30)
    assert align_pair(query, subject, scheme) == expected
    assert [len(each) for each in found] == [0, 0, 1]
    monkeypatch.setattr(striped, "MOST_TABLE", 2 * query.size * subject.size)
    assert align_pair(query, subject, scheme) == expected
    assert [len(each) for each in found] == [0, 0, 1, 0]


@pytest.mark.parametrize("gaps", [(1, 1), (11, 1), (3, 0)])
def test_long_gaps_ask_for_the_table_once(gaps: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters of a gap that are thousands would take thousands of ways."""
    rng = np.random.default_rng(4)
    query, subject = rng.integers(0, 4, 4000).astype(np.uint8), rng.integers(0, 4, 100).astype(np.uint8)
    scheme = Scheme(match_table(2, -1), *gaps, Mode.GLOBAL)
    filled, kept = striped._Pair._filled, list[str]()

    def noted(self: striped._Pair, which: str, *pair: object) -> object:
        kept.append(which)
        return filled(self, which, *pair)

    monkeypatch.setattr(striped._Pair, "_filled", noted)
    assert align_pair(query, subject, scheme) == align_batch(query, [subject], scheme)[0]
    assert kept == ["trace", "table"]
