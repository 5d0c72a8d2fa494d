"""Answers as bytes: the same come out, in the pairs' order, and bytes of nobody's are refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.pairs.columns import Columns
from shardwater.pairs.stored import Answers, UnreadableAnswers

numbers = st.integers(0, 2**40)
runs = st.lists(st.builds(Run, st.sampled_from("MID"), st.integers(1, 10**8)), max_size=6).map(merge_runs)
scores = st.integers(-(2**50), 2**50).filter(bool)
alignments = st.builds(Alignment, scores, numbers, numbers, numbers, numbers, runs)
answers = st.lists(st.tuples(alignments | st.none(), st.booleans()), max_size=12)


def gathered(found: list[tuple[Alignment | None, bool]], order: list[int] | None = None) -> Answers:
    """Of parts of two pairs each, the pairs in this order."""
    order, lengths = order or list(range(len(found))), np.ones((2, len(found)), np.int64)
    parts = []
    for start in range(0, len(order), 2):
        some = order[start : start + 2]
        columns = Columns.of([(number, found[number][0]) for number in some], lengths, True)
        parts.append((columns, np.array([found[number][1] for number in some], np.bool_)))
    return Answers.gathered(True, parts)


def told(answers: Answers) -> list[tuple[Alignment | None, bool]]:
    return [(found, turned) for (_, found), turned in zip(answers.columns, answers.reverse.tolist(), strict=True)]


@given(answers, st.randoms(use_true_random=False))
def test_what_was_packed_in_any_order_is_read(expected, random) -> None:
    order = list(range(len(expected)))
    random.shuffle(order)
    assert told(Answers.read(gathered(expected, order).pack(), True)) == expected


@given(answers, st.data())
def test_less_is_refused(expected, data: st.DataObject) -> None:
    packed = gathered(expected).pack()
    with pytest.raises(UnreadableAnswers):
        Answers.read(packed[: data.draw(st.integers(0, len(packed) - 1))], True)


@given(answers, st.data())
def test_changed_bytes_are_refused_or_answers(expected, data: st.DataObject) -> None:
    packed = bytearray(gathered(expected).pack())
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        read = Answers.read(bytes(packed), True)
    except UnreadableAnswers:
        return
    assert len(told(read)) == len(expected)


@pytest.mark.parametrize("word", [0, 3 << 2, 1, 0x8000000D])
def test_run_that_there_is_not_is_refused(word: int) -> None:
    packed = bytearray(gathered([(Alignment(5, 0, 3, 0, 3, (Run("M", 3),)), False)]).pack())
    packed[-4:] = word.to_bytes(4, "little")
    with pytest.raises(UnreadableAnswers):
        Answers.read(bytes(packed), True)
