"""SEG: windows and parts by its definitions, and what is masked of well-known stretches."""

import math
import shutil
import subprocess
from collections import Counter

import numpy as np
import pytest

from shardwater.sequences.alphabet import encode
from shardwater.sequences.masking.seg import low_complexity

LETTERS = list("ARNDCQEGHILKMFPSTWYV")
UNIQUE = "MKTAYIAKQRQISFVKSHFSRLEERLGLIEVWAPILHCRVGDGTNDNLSGAWKAVNVKCMHFDYW"


def bits(window):
    known = [letter for letter in window if letter in LETTERS]
    if len(known) < len(window) - 2:
        return math.inf
    return -sum(n / len(known) * math.log2(n / len(known)) for n in Counter(known).values())


def likelihood(part):
    """The logarithm of the probability of a composition: orders of its letters, and which letter has which count."""
    counts = [part.count(letter) for letter in LETTERS]
    orders = math.lgamma(len(part) + 1) - sum(math.lgamma(count + 1) for count in counts)
    assigned = math.lgamma(21) - sum(math.lgamma(alike + 1) for alike in Counter(counts).values())
    return round(orders + assigned - len(part) * math.log(20), 9)


def stretches(sequence, offset=0):
    """By the rules, window after window."""
    found, lowest, window = [], 0, 0
    last_window = len(sequence) - 12
    while window <= last_window:
        if bits(sequence[window : window + 12]) <= 2.2:
            first = last = window
            while first - 1 >= lowest and bits(sequence[first - 1 : first + 11]) <= 2.5:
                first -= 1
            while last + 1 <= last_window and bits(sequence[last + 1 : last + 13]) <= 2.5:
                last += 1
            raw = sequence[first : last + 12]
            parts = [
                (likelihood(raw[begin : begin + size]), -size, begin)
                for size in range(len(raw), max(1, len(raw) - 50), -1)
                for begin in range(len(raw) - size + 1)
            ]
            _, size, begin = min(parts)
            begin, end = first + begin, first + begin - size
            if window + 12 <= begin:
                found += stretches(sequence[first:begin], offset + first)
            found.append((offset + begin, offset + end))
            lowest = window = min(last, end - 1)
            lowest += 1
        window += 1
    return found


def masked(sequence):
    return "".join(
        letter.lower() if hidden else letter
        for letter, hidden in zip(sequence, low_complexity(encode(sequence.encode())), strict=True)
    )


def test_masked_is_what_the_rules_mask():
    rng = np.random.default_rng(3)
    seen = 0
    for kinds in (3, 6, 9, 20):
        for _ in range(4):
            around = ["".join(rng.choice(LETTERS, 40)) for _ in range(2)]
            sequence = around[0] + "".join(rng.choice(LETTERS[:kinds], 45)) + around[1]
            expected = list(sequence)
            for begin, end in stretches(sequence):
                expected[begin:end] = sequence[begin:end].lower()
                seen += end - begin
            assert masked(sequence) == "".join(expected)
    assert seen > 300


def test_a_stretch_of_one_letter_is_masked_and_nothing_beside_it():
    assert masked(UNIQUE + "Q" * 30 + UNIQUE) == UNIQUE + "q" * 30 + UNIQUE
    assert masked(UNIQUE) == UNIQUE


def test_letters_that_are_no_residues_have_no_complexity():
    assert masked("X" * 40) == "X" * 40
    assert masked("XXX" + "Q" * 9) == "XXX" + "Q" * 9
    assert masked("XX" + "Q" * 10).endswith("q" * 10)


@pytest.mark.parametrize("length", [0, 1, 11])
def test_what_is_shorter_than_a_window_is_not_masked(length):
    assert masked("Q" * length) == "Q" * length


@pytest.mark.skipif(shutil.which("segmasker") is None, reason="BLAST+ is not installed")
def test_segmasker_masks_the_same(tmp_path):
    fasta = tmp_path / "some.fasta"
    sequences = [UNIQUE + unit * 15 + UNIQUE for unit in ("Q", "GP", "SRS", "LKE")]
    fasta.write_text("".join(f">{number}\n{each}\n" for number, each in enumerate(sequences)))
    command = ["segmasker", "-in", fasta, "-outfmt", "fasta"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert ["".join(record.split("\n")[1:]) for record in text.split(">")[1:]] == [masked(each) for each in sequences]
