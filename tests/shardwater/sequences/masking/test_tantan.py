"""Repeats: the model's probabilities by its definition, and what is masked of well-known ones."""

import shutil
import subprocess

import numpy as np
import pytest

from shardwater.scoring.scoring import load_matrix
from shardwater.sequences.alphabet import encode
from shardwater.sequences.masking import tantan
from shardwater.sequences.masking.tantan import DECAY, END, LAMBDA, START, repeats

LETTERS = list("ARNDCQEGHILKMFPSTWYV")
SCORES = load_matrix("BLOSUM62").scores
UNIQUE = b"MKTAYIAKQRQISFVKSHFSRLEERLGLIEVWAPILHCRVGDGTNDNLSGAWKAVNVKC"


def by_definition(codes, longest):
    """The probability that each letter is in a repeat: the sums over all paths of states, one after the other."""
    starts = np.array([DECAY**longer for longer in range(longest)])
    starts *= START / starts.sum()
    moves = np.zeros((longest + 1, longest + 1))
    moves[0, 0], moves[0, 1:] = 1 - START, starts
    moves[1:, 0] = END
    moves[range(1, longest + 1), range(1, longest + 1)] = 1 - END
    written = np.zeros((len(codes), longest + 1))
    written[:, 0] = 1
    for place, code in enumerate(codes):
        for period in range(1, min(longest, place) + 1):
            written[place, period] = np.exp(LAMBDA * SCORES[code, codes[place - period]])
    before, after = np.zeros_like(written), np.zeros_like(written)
    state = np.eye(longest + 1)[0]
    for place in range(len(codes)):
        state = (state @ moves) * written[place]
        before[place] = state
    state = moves[:, 0]
    for place in reversed(range(len(codes))):
        after[place] = state
        state = moves @ (state * written[place])
    paths = before * after
    return 1 - paths[:, 0] / paths.sum(axis=1)


def sequence(rng, length, kinds=20):
    return encode("".join(rng.choice(LETTERS[:kinds], length)).encode())


@pytest.mark.parametrize("longest", [1, 12, 50])
def test_masked_is_what_the_definition_gives_half_or_more(longest):
    rng = np.random.default_rng(5)
    sequences = [sequence(rng, length, kinds) for length in (1, 2, 9, 60, 130) for kinds in (2, 5, 20)]
    expected = [by_definition(each, longest) for each in sequences]
    assert any(((each > 0.2) & (each < 0.8)).any() for each in expected)
    for least in (0.3, 0.5, 0.7):
        for mask, probabilities in zip(repeats(sequences, longest, least), expected, strict=True):
            assert (mask == (probabilities >= least)).all()


@pytest.mark.parametrize("unit", [b"Q", b"GPP", b"LKKLEED", b"TGEKPYKCEECGKAFSRSSHLTRHQRIH"])
def test_copies_side_by_side_are_repeats(unit):
    copies = 1 + 90 // len(unit)
    [mask] = repeats([encode(UNIQUE + unit * copies + UNIQUE[::-1])])
    first, end = len(UNIQUE) + len(unit), len(UNIQUE) + len(unit) * copies
    assert mask[first:end].all()
    assert not mask[: len(UNIQUE) - 1].any()
    assert not mask[end + 6 :].any()


def test_longer_periods_are_found_only_where_they_are_looked_for():
    finger = encode(b"TGEKPYKCEECGKAFSRSSHLTRHQRIH" * 4)
    [some], [none] = repeats([finger], 28), repeats([finger], 20)
    assert some.sum() > 80
    assert none.sum() < 10


def test_a_sequence_has_its_mask_whatever_stands_beside_it():
    rng = np.random.default_rng(6)
    sequences = [sequence(rng, int(length), 4) for length in rng.integers(1, 400, 300)]
    together = repeats(sequences)
    assert all((repeats([each])[0] == mask).all() for each, mask in zip(sequences[::9], together[::9], strict=True))


def test_long_sequences_are_looked_at_in_pieces_that_do_not_show(monkeypatch):
    rng = np.random.default_rng(8)
    parts = [part for _ in range(12) for part in (sequence(rng, 150), sequence(rng, 60, 3))]
    long = np.concatenate([*parts, encode(b"QQQQQQQQQQ" * 40), *parts])
    [pieces] = repeats([long])
    monkeypatch.setattr(tantan, "CORE", len(long))
    [whole] = repeats([long])
    assert whole.sum() > 1000
    assert (pieces == whole).all()


def test_case_does_not_matter_and_there_may_be_no_letters():
    assert [mask.tolist() for mask in repeats([encode(b""), encode(b"W")])] == [[], [False]]
    upper, lower = repeats([encode(UNIQUE + b"QP" * 30), encode((UNIQUE + b"QP" * 30).lower())])
    assert (upper == lower).all()
    assert repeats([]) == []


@pytest.mark.skipif(shutil.which("tantan") is None, reason="tantan is not installed")
def test_the_program_masks_the_same(tmp_path):
    rng = np.random.default_rng(9)
    sequences = [
        "".join(rng.choice(LETTERS[:kinds], 300)) + unit * 20
        for kinds in (3, 6, 20)
        for unit in ("GPP", "LKKLEED", "Q", "")
    ]
    fasta = tmp_path / "some.fasta"
    fasta.write_text("".join(f">{number}\n{each}\n" for number, each in enumerate(sequences)))
    text = subprocess.run(["tantan", "-p", fasta], capture_output=True, text=True, check=True).stdout
    masked = ["".join(record.split("\n")[1:]) for record in text.split(">")[1:]]
    found = repeats([encode(each.encode()) for each in sequences])
    assert [[letter.islower() for letter in each] for each in masked] == [mask.tolist() for mask in found]
