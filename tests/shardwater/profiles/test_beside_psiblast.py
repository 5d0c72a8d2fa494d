"""The profile of a stack beside psiblast's of the same rows: docs/profiles.md says where they differ."""

import shutil
import subprocess

import numpy as np
import pytest

from shardwater.formats.pssms.ascii_text import read_ascii, write_ascii
from shardwater.formats.pssms.saved import SavedPssm
from shardwater.profiles.building import Profile
from shardwater.profiles.iterated import Made
from shardwater.profiles.weights import observe
from shardwater.scoring.scoring import load_matrix
from shardwater.sequences.fasta import Record
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


@pytest.fixture(scope="module")
def rows():
    return family(np.random.default_rng(6))


@pytest.fixture(scope="module")
def theirs(rows, tmp_path_factory):
    """The table that psiblast makes of these rows."""
    tmp_path = tmp_path_factory.mktemp("psiblast")
    (tmp_path / "rows.fasta").write_text("".join(f">s{number}\n{row}\n" for number, row in enumerate(rows)))
    (tmp_path / "db.fasta").write_text(f">a\n{rows[0]}\n")
    for command in (
        "makeblastdb -in db.fasta -dbtype prot -out db",
        "psiblast -in_msa rows.fasta -db db -num_iterations 1 -out_ascii_pssm pssm.txt -out found.txt",
    ):
        subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    return (tmp_path / "pssm.txt").read_text()


@pytest.fixture(scope="module")
def ours(rows):
    """The table of our own profile of these rows."""
    stack = rows_of(*rows).purged()
    profile = Profile.of(stack.rows[0], observe(stack), load_matrix("BLOSUM62"))
    made = Made.of(profile)
    query = Record("q", rows[0].encode(), pssm=profile.pssm)
    return "".join(write_ascii(SavedPssm(query, "BLOSUM62", 11, 1, made.expected, made.observed, made.weight)))


def columns(table):
    """What a table says beside the scores: percentages, information and weights of real matches."""
    lines = [line.split()[22:] for line in table.splitlines() if len(line.split()) == 44]
    values = np.array(lines, float)
    return values[:, :RESIDUES], values[:, RESIDUES], values[:, RESIDUES + 1]


def test_scores_are_those_of_psiblast_but_for_some_that_are_rounded_another_way(ours, theirs):
    one, other = (read_ascii(table).query.pssm.scores[:, :RESIDUES] for table in (ours, theirs))
    apart = np.abs(one - other)
    assert (apart == 0).mean() > 0.7
    assert (apart <= 1).mean() > 0.99
    assert apart.max() <= 3


def test_tables_have_the_same_lines_in_the_same_columns(rows, ours, theirs):
    one, other = (table.splitlines()[2 : 3 + len(rows[0])] for table in (ours, theirs))
    assert one[0] == other[0].rstrip()
    assert [len(line) for line in one[1:]] == [len(line.rstrip()) for line in other[1:]]


def test_what_was_observed_is_what_psiblast_observes_but_for_its_gaps(ours, theirs):
    apart = [np.abs(one - other) for one, other in zip(columns(ours), columns(theirs), strict=True)]
    percentages, information, weights = apart
    assert (percentages == 0).mean() > 0.7
    # It spreads gaps over all residues, and leaves out parts of rows where we leave out whole ones.
    assert (percentages <= 2).mean() > 0.98
    assert percentages.max() <= 10
    assert information.mean() < 0.1
    assert weights.max() < 0.1
    assert columns(ours)[2].min() > 0.05
