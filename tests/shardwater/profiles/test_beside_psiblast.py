"""The profile of a stack beside psiblast's of the same rows: docs/profiles.md says where they differ."""

import shutil
import subprocess

import numpy as np
import pytest

from shardwater.formats.pssms.ascii_text import read_ascii
from shardwater.profiles.building import Profile
from shardwater.profiles.weights import observe
from shardwater.scoring.scoring import load_matrix
from shardwater.statistics.background import RESIDUES, background
from tests.support.stacks import rows_of

pytestmark = pytest.mark.skipif(
    not (shutil.which("psiblast") and shutil.which("makeblastdb")), reason="no psiblast is installed"
)


def family(rng, members=25, positions=120):
    """A sequence and relatives of it, each changed at some positions as BLOSUM62 has it, and with some gaps."""
    matrix = load_matrix("BLOSUM62").scores[:RESIDUES, :RESIDUES]
    odds = background() * np.exp(0.318 * matrix)
    query = rng.choice(RESIDUES, positions, p=background())
    rows = [query]
    for _ in range(members):
        row = np.array([rng.choice(RESIDUES, p=odds[code] / odds[code].sum()) for code in query])
        kept = rng.random(positions) < rng.uniform(0.1, 0.6)
        row[kept] = query[kept]
        first = rng.integers(5, positions - 10)
        rows.append(np.where((np.arange(positions) >= first) & (np.arange(positions) < first + 3), 24, row))
    return ["".join("ARNDCQEGHILKMFPSTWYVBZX*-"[code] for code in row) for row in rows]


def test_scores_are_those_of_psiblast_but_for_some_that_are_rounded_another_way(tmp_path):
    rows = family(np.random.default_rng(6))
    (tmp_path / "rows.fasta").write_text("".join(f">s{number}\n{row}\n" for number, row in enumerate(rows)))
    (tmp_path / "db.fasta").write_text(f">a\n{rows[0]}\n")
    for command in (
        "makeblastdb -in db.fasta -dbtype prot -out db",
        "psiblast -in_msa rows.fasta -db db -num_iterations 1 -out_ascii_pssm pssm.txt -out found.txt",
    ):
        subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    theirs = read_ascii((tmp_path / "pssm.txt").read_text()).query.pssm.scores[:, :RESIDUES]
    stack = rows_of(*rows).purged()
    ours = Profile.of(stack.rows[0], observe(stack), load_matrix("BLOSUM62")).pssm.scores[:, :RESIDUES]
    apart = np.abs(ours - theirs)
    assert (apart == 0).mean() > 0.7
    assert (apart <= 1).mean() > 0.99
    assert apart.max() <= 3
