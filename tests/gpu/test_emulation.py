"""Kernels on the CPU (tests/support/emulation): what a launch does wrong is told, and barriers hold."""

import re

import numpy as np
import pytest

from gpu.arithmetic import ARITHMETICS
from gpu.family import teams
from gpu.layout import GROUPS, MATRIX_LETTERS, PAD_ROWS, WARP, WIDE_COLUMNS, WIDE_ITEMS
from gpu.score.teams import WIDE_SHAPE, Team
from shardwater.alignment.gotoh import align_local
from shardwater.scoring.scoring import Scoring
from tests.support.emulation.emulator import LaunchError, kernel, needs_compiler
from tests.support.emulation.source import translated

SCORING = Scoring("BLOSUM62", 11, 1)


def test_ptx_becomes_cpp_and_lines_stay_where_they_are():
    text = 'f();\nasm volatile("prmt.b32 %0, %1, %2, "\n    "%3;" : "=r"(out) : "r"(g(a)), "r"(b), "r"(c[1]));\n}\n'
    assert translated(text) == "f();\nout = ptx::prmt(g(a), b, c[1])\n;\n}\n"


def test_ptx_that_nothing_stands_for_is_named():
    assert translated('asm("nanosleep.u32 %0;" :: "r"(time));') == (
        'static_assert(false, R"(nothing stands for the PTX nanosleep.u32 %0;)");'
    )


def test_shared_memory_is_of_the_block_that_runs():
    assert translated("extern __shared__ uint4 table[];\n__shared__ int taken[4];") == (
        "uint4* const table = (uint4*)fibres::shared;\nstatic int taken[4];"
    )


@needs_compiler
@pytest.mark.parametrize("arguments", [(), (np.zeros(1, np.int32),) * 7], ids=["none", "one of another size"])
def test_launch_with_arguments_for_another_kernel_is_refused(arguments):
    with pytest.raises(LaunchError, match=re.escape("byte_profile: arguments of other sizes or of another number")):
        kernel("byte_profile")((1,), (WARP,), [*arguments[:6], np.int64(1)] if arguments else [])


def team_scores(query, subject, team, *, backwards, threads):
    """The score of a pair by sw_wide, its letters in the first group of a pack that has nothing else."""
    profile = np.zeros((team.warps, WIDE_SHAPE["TABLE_BYTES"]), np.uint8)
    numbers = WIDE_SHAPE["ROWS"] * WIDE_SHAPE["LANES"] * WIDE_ITEMS
    make = kernel("profile", OPS="Int32", **WIDE_SHAPE)
    make(
        (-(-numbers // WARP), team.warps),
        (WARP,),
        (SCORING.scores, query.astype(np.int32), np.int32(len(query)), profile),
    )
    codes = np.full((PAD_ROWS + len(subject) + PAD_ROWS, GROUPS), MATRIX_LETTERS**2, np.uint16)
    codes[PAD_ROWS : PAD_ROWS + len(subject), 0] = subject.astype(int) * (1 + MATRIX_LETTERS)
    family = teams(ARITHMETICS["int32"], team, MATRIX_LETTERS)
    scores, one = np.full(1, -1, np.int32), np.ones(1, np.int32)
    arguments = (
        codes, np.array([PAD_ROWS], np.int64), np.array([[0, 0, len(subject), 0]], np.int32), one, profile,
        np.int32(1), np.int32(-SCORING.gap_first), np.int32(-SCORING.gap_extend), np.zeros(2, np.int32), np.int32(0),
        scores, np.zeros(1, np.int32),
    )  # fmt: skip
    launch = kernel(family.schedule, **family.macros)
    launch((1,), (threads,), arguments, shared_mem=team.profile_bytes, backwards=backwards)
    return int(scores[0])


@needs_compiler
@pytest.mark.parametrize("backwards", [False, True])
def test_team_of_warps_hands_on_through_shared_memory(backwards):
    rng = np.random.default_rng(3)
    subject = rng.integers(0, 20, 200).astype(np.uint8)
    # A gap from one warp's columns to the other's.
    query = np.concatenate([rng.integers(0, 20, WIDE_COLUMNS - 40).astype(np.uint8), subject[:60], subject[64:]])
    [found] = align_local(query, [subject], SCORING)
    team = Team(warps=2, block_warps=2, passes=1)
    assert team_scores(query, subject, team, backwards=backwards, threads=2 * WARP) == found.score


@needs_compiler
def test_threads_that_wait_for_others_for_ever_are_told():
    letters = np.zeros(9, np.uint8)
    # A warp of the team is missing.
    with pytest.raises(LaunchError, match=re.escape("sw_wide: threads that wait for others for ever")):
        team_scores(letters, letters, Team(warps=2, block_warps=2, passes=1), backwards=False, threads=WARP)
