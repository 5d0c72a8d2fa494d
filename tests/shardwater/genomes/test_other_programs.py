"""Beside Debian's minimap2, nucmer and lastz, where they are installed: what they find, we find (docs/genomes.md)."""

import gzip
import shutil
from pathlib import Path

import numpy as np
import pytest

from shardwater.genomes.alignments import Alignments
from shardwater.genomes.compare import compare
from shardwater.genomes.comparison import Comparison
from shardwater.genomes.genome import Genome
from shardwater.genomes.reading import read_genome
from shardwater.genomes.stretches import Stretches
from tests.support.other_programs import PROGRAMS, Block, covered

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def files(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two strains of Helicobacter pylori, plain, as not all of them read gzip."""
    folder = tmp_path_factory.mktemp("strains")
    for name in ("G27", "ELS37"):
        (folder / name).write_bytes(gzip.decompress((shared / f"hpylori_{name}.fasta.gz").read_bytes()))
    return [folder / "G27", folder / "ELS37"]


@pytest.fixture(scope="module")
def genomes(files: list[Path]) -> list[Genome]:
    """The same, read."""
    read = []
    for path in files:
        with path.open("rb") as file:
            read.append(read_genome(file, path.name, path.name))
    return read


@pytest.fixture(scope="module")
def usual(genomes: list[Genome]) -> Stretches:
    """HSPs as they are without any choice."""
    return _stretches(genomes, Comparison())


@pytest.fixture(scope="module")
def shorter(genomes: list[Genome]) -> Stretches:
    """HSPs of shorter words, and shorter ones."""
    return _stretches(genomes, Comparison(word=16, min_length=50))


def _stretches(genomes: list[Genome], comparison: Comparison) -> Stretches:
    return Stretches.of(Alignments.of_hsps(compare(*genomes, comparison).hsps))


@pytest.fixture(scope="module", params=PROGRAMS)
def blocks(request: pytest.FixtureRequest, files: list[Path]) -> list[Block]:
    """What a program finds that is long and alike."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    found: list[Block] = PROGRAMS[request.param](*files)
    return [block for block in found if block.identity >= 90 and max(len(block.query), len(block.subject)) > 500]


def test_blocks_of_other_programs_are_covered(blocks: list[Block], usual: Stretches, shorter: Stretches) -> None:
    """By 90 % of their letters and more: nearly all of them, and by shorter HSPs all but one."""
    letters = np.array([len(block.query) for block in blocks])
    assert letters.sum() > 1_000_000
    shares = np.array([covered(block, usual) for block in blocks])
    assert (shares @ letters) > 0.96 * letters.sum()
    assert (shares < 0.9).sum() <= 0.07 * len(blocks)
    assert shares.min() > 0.7
    shares = np.array([covered(block, shorter) for block in blocks])
    assert (shares < 0.9).sum() <= 1
    assert shares.min() > 0.85
