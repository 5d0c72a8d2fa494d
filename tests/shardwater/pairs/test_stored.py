"""Answers as bytes: the same come out, and bytes of nobody's are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.alignment.alignment import Alignment, Run, merge_runs
from shardwater.pairs.aligned import Strand
from shardwater.pairs.stored import Answer, UnreadableAnswers, pack_answers, read_answers

STRANDS: tuple[Strand, ...] = ("+", "-")
numbers = st.integers(0, 2**40)
runs = st.lists(st.builds(Run, st.sampled_from("MID"), st.integers(1, 2**31)), max_size=6).map(merge_runs)
alignments = st.builds(Alignment, st.integers(-(2**50), 2**50), numbers, numbers, numbers, numbers, runs)
answers = st.lists(st.builds(Answer, st.none() | alignments, st.sampled_from(STRANDS)), max_size=12)


@given(answers)
def test_what_was_packed_is_read(expected: list[Answer]) -> None:
    read = read_answers(pack_answers(expected))
    assert (list(read), len(read), read[:], read[1:-1]) == (expected, len(expected), expected, expected[1:-1])


@given(answers, st.data())
def test_less_is_refused(expected: list[Answer], data: st.DataObject) -> None:
    packed = pack_answers(expected)
    with pytest.raises(UnreadableAnswers):
        read_answers(packed[: data.draw(st.integers(0, len(packed) - 1))])


@given(answers, st.data())
def test_changed_bytes_are_refused_or_answers(expected: list[Answer], data: st.DataObject) -> None:
    packed = bytearray(pack_answers(expected))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        read = read_answers(bytes(packed))
    except UnreadableAnswers:
        return
    assert len(list(read)) == len(expected)


def test_run_of_a_kind_that_there_is_not_is_refused() -> None:
    packed = bytearray(pack_answers([Answer(Alignment(5, 0, 3, 0, 3, (Run("M", 3),)), "+")]))
    packed[-4] |= 3
    with pytest.raises(UnreadableAnswers, match="runs"):
        read_answers(bytes(packed))
