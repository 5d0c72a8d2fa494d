"""Where each arithmetic is exact, and which one a device gets."""

from gpu.arithmetic import ARITHMETICS, Choice
from shardwater.scoring.scoring import Scoring


def test_16_bits_hold_gap_costs_that_cannot_wrap():
    packed = ARITHMETICS["s16x2"]
    assert packed.holds_gaps(Scoring("BLOSUM62", 16_000, 383))
    assert packed.holds_gaps(Scoring("BLOSUM62", 32_765, 1))
    assert not packed.holds_gaps(Scoring("BLOSUM62", 32_766, 1))
    assert packed.limit(11) == 32_767 - 11


def test_costs_are_packed_twice():
    assert ARITHMETICS["s16x2"].word(12) == 0xFFF4FFF4
    assert ARITHMETICS["half2"].word(12) == 0xCA00CA00  # -12 in binary16


def test_device_chooses_the_arithmetic():
    assert Choice.of(90).packed == ARITHMETICS["s16x2"]
    assert Choice.of(89).packed == ARITHMETICS["half2"]
    assert Choice.of(90, "float") == Choice(None, ARITHMETICS["float"])
    assert Choice.of(90, "float").wide_for(1 << 24) == ARITHMETICS["int32"]
