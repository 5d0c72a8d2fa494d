"""A small database to fuzz a service with: a search takes no time, so that a case is cheap."""

import gzip
from pathlib import Path

from shardwater.sequences.fasta import read_fasta, write_fasta
from tests.support.demo import DEMO
from tests.support.server import make_database

SUBJECTS, LONGEST = 300, 300


def make_small(folder: Path) -> Path:
    """A data folder whose database `demo` has few short proteins, in two shards."""
    with gzip.open(DEMO / "proteins.fasta.gz") as file:
        proteins = [record for record in read_fasta(file.read()) if len(record.residues) <= LONGEST]
    (folder / "small.fasta").write_text("".join(map(write_fasta, proteins[:SUBJECTS])))
    make_database(folder / "small.fasta", folder / "data")
    return folder / "data"
