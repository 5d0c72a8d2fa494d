"""Shuffles made by their kernel's own source on the CPU are those of shardwater/statistics/shuffles.py."""

import numpy as np
import pytest

from shardwater.statistics.shuffles import Shuffling
from tests.support.emulation.emulator import kernel, needs_compiler

JOB = [("stream", "<u8"), ("from", "<i8"), ("to", "<i8"), ("letters", "<i4"), ("count", "<i4"), ("windows", "<i8")]


@needs_compiler
@pytest.mark.parametrize("backwards", [False, True])
def test_kernel_draws_the_same_shuffles(backwards):
    rng = np.random.default_rng(3)
    asked = [
        (rng.integers(0, 24, letters).astype(np.uint8), Shuffling(count, shuffle, seed))
        for letters, count, shuffle, seed in (
            *((1, 2, "uniform", 0), (63, 3, "windows", 1), (64, 2, "uniform", 2)),
            *((65, 3, "uniform", 9), (128, 1, "windows", 3), (100, 2, "windows", 2**31 - 1)),
        )
    ]
    own = np.concatenate([codes for codes, _ in asked])
    begin, room = 0, len(own)
    jobs = np.zeros(len(asked), JOB)
    for job, (codes, how) in zip(jobs, asked, strict=True):
        numbers = len(codes), how.count, how.shuffle == "windows"
        for name, value in zip(jobs.dtype.names, (how.stream(codes), begin, room, *numbers), strict=True):
            job[name] = value
        begin, room = begin + len(codes), room + how.count * len(codes)
    letters = np.concatenate([own, np.full(room - len(own) + 1, 77, np.uint8)])
    shared = 8 * 128
    kernel("shuffle")((3, len(jobs)), (32,), (jobs, np.int32(128), letters), shared_mem=shared, backwards=backwards)
    expected = [how.rows(codes, range(how.count)).ravel() for codes, how in asked]
    assert np.array_equal(letters, np.concatenate([own, *expected, [77]]))
