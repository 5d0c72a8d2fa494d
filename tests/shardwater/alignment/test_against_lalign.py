"""LALIGN (Huang and Miller 1991), where FASTA is installed: its non-intersecting alignments score what ours do."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from shardwater.alignment.gotoh import align_next
from shardwater.alignment.scheme import Scheme
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import encode

pytestmark = pytest.mark.skipif(shutil.which("lalign36") is None, reason="FASTA's lalign36 is not installed")

LETTERS = list("ARNDCQEGHILKMFPSTWYV")
LEAST = 30
"""Below, equally good alignments leave different ones over."""


def lalign(folder, query, subject, gaps):
    """The scores of its alignments, best first."""
    for name, letters in (("query", query), ("subject", subject)):
        (folder / name).write_text(f">{name}\n{letters}\n")
    command = ["lalign36", "-q", "-s", "BP62", "-f", str(-gaps[0]), "-g", str(-gaps[1]), "-E", "1e6", "-m", "9i"]
    done = subprocess.run([*command, "query", "subject"], cwd=folder, check=True, capture_output=True, text=True)
    assert f"open/ext: {-gaps[0]}/{-gaps[1]}" in done.stdout
    table = done.stdout.partition("The best")[2].partition("\n\n")[0]
    return [int(score) for score in re.findall(r"^(?:subject .*?\)|\+-) +(\d+)", table, re.M)]


def ours(query, subject, gaps):
    found = []
    while not found or found[-1].score >= LEAST:
        [new] = align_next(
            encode(query.encode()), [encode(subject.encode())], Scheme.local(Scoring("BLOSUM62", *gaps)), [found]
        )
        found.append(new)
    return [each.score for each in found[:-1]]


@pytest.mark.parametrize("seed", range(12))
def test_scores_are_the_same(tmp_path, seed):
    rng = np.random.default_rng(seed)
    gaps = [(11, 1), (9, 2), (7, 2)][seed % 3]

    def random(length):
        return "".join(rng.choice(LETTERS, length))

    def mutated(letters):
        kept = [letter for letter in letters if rng.random() > 0.03]
        return "".join(random(1) if rng.random() < 0.3 else letter for letter in kept)

    one, two = random(45), random(60)
    query = one + random(15) + two + mutated(one)
    subject = random(20).join([mutated(two), mutated(one), mutated(one), mutated(two), mutated(two)])
    found, wanted = ours(query, subject, gaps), lalign(tmp_path, query, subject, gaps)
    assert len(found) >= 4
    assert found == [score for score in wanted if score >= LEAST]
