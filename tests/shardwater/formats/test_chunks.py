from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest

from shardwater.formats import chunks
from shardwater.formats.chunks import LONGEST_S, in_chunks
from shardwater.formats.sam import write_sam
from tests.support.example_results import FOUND, UNALIGNED, result_of, text


@pytest.fixture
def slow(monkeypatch):
    """Each piece takes longer than a chunk may take."""
    ticks = count()
    monkeypatch.setattr(chunks, "time", SimpleNamespace(monotonic=lambda: 2 * LONGEST_S * next(ticks)))


def test_small_pieces_are_joined_and_large_ones_cut():
    pieces = ["ab", "c", b"d", "é" * 5, "x"]
    assert list(in_chunks(pieces, 4)) == [b"abcd", "éé".encode(), "éé".encode(), "éx".encode()]


def test_nothing_gives_nothing():
    assert list(in_chunks([])) == []
    assert list(in_chunks(["", b""])) == []


def test_pieces_are_taken_only_as_they_are_needed():
    def pieces():
        yield "abcd"
        raise AssertionError

    assert next(in_chunks(pieces(), 4)) == b"abcd"


@pytest.mark.usefixtures("slow")
def test_what_takes_long_comes_as_far_as_it_is():
    assert list(in_chunks(["", "ab", "", "abcdef"], 4)) == [b"", b"ab", b"", b"abcd", b"ef"]


@pytest.mark.usefixtures("slow")
def test_many_hits_of_which_nothing_is_written_are_several_chunks():
    unaligned = replace(FOUND, hits=tuple(replace(UNALIGNED, rank=rank) for rank in range(1, 1001)))
    result = result_of(*[unaligned] * 10)
    found = list(in_chunks(write_sam(result)))
    # The answer is read twice.
    assert len(found) > 2 * 10
    assert b"".join(found) == text(write_sam(result)).encode()
