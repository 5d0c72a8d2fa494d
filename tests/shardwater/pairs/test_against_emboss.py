"""Scores beside those of Debian's EMBOSS, where it is installed: needle, water and stretcher.

EMBOSS's gap_open is what the first letter of a gap costs. needle leaves end gaps out of its score unless it is told not
to; stretcher counts them.
"""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import shardwater
from shardwater import Mode, Scheme, matrix_table

pytestmark = pytest.mark.skipif(shutil.which("needle") is None, reason="EMBOSS is not installed")

RESIDUES = "ACDEFGHIKLMNPQRSTVWY"


def relatives(count: int) -> list[tuple[str, str]]:
    rng, pairs = random.Random(3), []
    for _ in range(count):
        query = "".join(rng.choices(RESIDUES, k=rng.randrange(20, 250)))
        copy = "".join(rng.choice(RESIDUES) if rng.random() < 0.3 else one for one in query if rng.random() < 0.93)
        pairs.append((query, "".join(rng.choices(RESIDUES, k=rng.randrange(1, 60))) + copy))
    return pairs


def theirs(program: str, pair: tuple[str, str], folder: Path, *options: str) -> float:
    """The score that a program of EMBOSS prints for a pair."""
    files = [folder / "query.fasta", folder / "subject.fasta"]
    for file, letters in zip(files, pair, strict=True):
        file.write_text(f">one\n{letters}\n")
    given = ["-asequence", str(files[0]), "-bsequence", str(files[1]), "-outfile", "stdout", "-auto", *options]
    printed = subprocess.run([program, *given], check=True, capture_output=True, text=True).stdout
    found = re.search(r"^# Score: (\S+)$", printed, re.MULTILINE)
    assert found is not None
    return float(found.group(1))


@pytest.mark.parametrize(
    ("program", "mode", "options"),
    [
        ("water", Mode.LOCAL, ()),
        ("needle", Mode.GLOBAL, ("-endweight", "Y", "-endopen", "10", "-endextend", "0.5")),
        ("needle", Mode.SEMI_GLOBAL, ()),
    ],
)
def test_scores_are_those_of_emboss(program: str, mode: Mode, options: tuple[str, ...], tmp_path: Path) -> None:
    scheme, pairs = Scheme.of(matrix_table("BLOSUM62"), 9.5, 0.5, mode), relatives(12)
    costs = ("-gapopen", "10", "-gapextend", "0.5", "-datafile", "EBLOSUM62")
    expected = [theirs(program, pair, tmp_path, *costs, *options) for pair in pairs]
    assert [found.score for found in shardwater.align(pairs, scheme)] == expected


def test_global_scores_are_those_of_stretcher(tmp_path: Path) -> None:
    scheme, pairs = Scheme.of(matrix_table("BLOSUM62"), 10, 2, Mode.GLOBAL), relatives(12)
    costs = ("-gapopen", "12", "-gapextend", "2", "-datafile", "EBLOSUM62")
    expected = [theirs("stretcher", pair, tmp_path, *costs) for pair in pairs]
    assert [found.score for found in shardwater.align(pairs, scheme)] == expected
