"""Alignments of genomes in rows and runs: chosen, joined, packed and read."""

import numpy as np
import pytest

from shardwater.genomes.alignments import ROW, Alignments, UnreadableAlignments
from shardwater.genomes.hsps import ROW as HSP_ROW
from shardwater.genomes.hsps import Hsps
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS


def words(*runs: tuple[str, int]) -> list[int]:
    return [length << KIND_BITS | RUN_KINDS.index(kind) for kind, length in runs]


RUNS = [words(("M", 5), ("I", 2), ("M", 3)), words(("M", 4)), words(("M", 1), ("D", 9), ("M", 1))]
ROWS = [
    (0, 10, 100, 108, 30, 8, 10, False, 3),
    (20, 24, 50, 54, 8, 3, 4, True, 1),
    (7, 9, 0, 11, -1, 2, 11, False, 3),
]
THREE = Alignments(np.array(ROWS, ROW), np.array([word for each in RUNS for word in each], np.int32))


def told(found: Alignments) -> list[tuple[tuple[int, ...], list[int]]]:
    firsts = found.firsts.tolist()
    return [
        (row, found.runs[first:last].tolist())
        for row, first, last in zip(found.rows.tolist(), firsts[:-1], firsts[1:], strict=True)
    ]


def test_rows_are_chosen_in_any_order_with_their_runs() -> None:
    for chosen in ([2, 0], [1], [], [0, 1, 2], [1, 1]):
        expected = [(ROWS[row], RUNS[row]) for row in chosen]
        assert told(THREE.select(np.array(chosen, np.int64))) == expected


def test_several_are_joined() -> None:
    again = Alignments.joined([THREE.select(np.array([2])), Alignments.joined([]), THREE])
    assert told(again) == [(ROWS[row], RUNS[row]) for row in (2, 0, 1, 2)]


def test_an_hsp_is_an_alignment_of_one_run() -> None:
    found = Alignments.of_hsps(Hsps(np.array([(10, 30, 100, 90, False), (5, 6, 7, 7, True)], HSP_ROW)))
    assert told(found) == [
        ((10, 110, 30, 130, 320, 90, 100, False, 1), words(("M", 100))),
        ((5, 12, 6, 13, 28, 7, 7, True, 1), words(("M", 7))),
    ]
    assert found.identity.tolist() == [90.0, 100.0]
    assert found.reverse.tolist() == [False, True]


def test_an_hsp_that_is_too_long_for_a_run_is_refused() -> None:
    long = Hsps(np.array([(0, 0, 600_000_000, 600_000_000, False)], HSP_ROW))
    with pytest.raises(OverflowError, match="a run of 600,000,000 letters"):
        Alignments.of_hsps(long)


def test_bytes_read_back() -> None:
    for each in (THREE, Alignments.joined([])):
        assert told(Alignments.read(each.pack())) == told(each)


@pytest.mark.parametrize(
    ("damaged", "why"),
    [
        (THREE.pack()[:23], "too short"),
        (b"X" + THREE.pack()[1:], "another format"),
        (THREE.pack()[:-4], "its size"),
        (THREE.pack() + b"\0", "its size"),
        (Alignments(THREE.rows, THREE.runs[1:]).pack(), "not those of its rows"),
        (Alignments(np.zeros(1, ROW), THREE.runs[:0]).pack(), "not those of its rows"),
    ],
)
def test_other_bytes_are_refused(damaged: bytes, why: str) -> None:
    with pytest.raises(UnreadableAlignments, match=why):
        Alignments.read(damaged)
