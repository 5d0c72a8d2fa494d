"""A small taxonomy in NCBI's files, and databases whose headers have taxids."""

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.taxa_files import TaxonSources
from tests.support.demo import DEMO

NODES = (
    (1, 1, "no rank"),
    (2, 1, "superkingdom"),
    (562, 2, "species"),
    (83333, 562, "strain"),
    (2759, 1, "superkingdom"),
    (9604, 2759, "family"),
    (9606, 9604, "species"),
    (9598, 9604, "species"),
    (9989, 2759, "order"),
    (10090, 9989, "species"),
    (10116, 9989, "species"),
)
NAMES = {1: "root", 2: "Bacteria", 562: "Escherichia coli", 83333: "Escherichia coli K-12", 2759: "Eukaryota",
         9604: "Hominidae", 9606: "Homo sapiens", 9598: "Pan troglodytes",
         9989: "Rodentia", 10090: "Mus musculus", 10116: "Rattus norvegicus"}  # fmt: skip
MERGED = ((63221, 9606),)
OF_DEMO = {b"HUMAN": 9606, b"MOUSE": 10090, b"RAT": 10116, b"ECOLX": 562}
"""Taxids of the demo's proteins by the ends of their names."""


def dump(rows: Iterable[Iterable[object]]) -> str:
    """Lines of NCBI's dump files."""
    return "".join("\t|\t".join(map(str, row)) + "\t|\n" for row in rows)


def write_taxonomy(folder: Path, nodes: Iterable[Iterable[object]] = NODES) -> Path:
    """A folder with the three files."""
    folder.mkdir(exist_ok=True)
    (folder / "nodes.dmp").write_text(dump((*node, "", "8", "0") for node in nodes))
    names = [(taxid, "other", "", "synonym") for taxid in NAMES]
    names += [(taxid, name, "", "scientific name") for taxid, name in NAMES.items()]
    (folder / "names.dmp").write_text(dump(names))
    (folder / "merged.dmp").write_text(dump(MERGED))
    return folder


def demo_taxa(folder: Path) -> TaxonSources:
    """Where the taxids of some of the demo's proteins come from, in a new folder."""
    tree = write_taxonomy(folder)
    headers = re.findall(rb"^>(sp\|\w+\|\w+?_(\w+)) ", gzip.decompress((DEMO / "proteins.fasta.gz").read_bytes()), re.M)
    lines = [f"{accession.decode()}\t{OF_DEMO[name]}\n" for accession, name in headers if name in OF_DEMO]
    (folder / "taxids.tsv").write_text("".join(lines))
    return TaxonSources(folder / "taxids.tsv", tree)


def build_with_taxa(folder: Path, records: Iterable[tuple[str, str]], tree: bool = True, shards: int = 1) -> Database:
    """A database, called taxa, of headers and letters, with the small tree or without it."""
    fasta = folder / "taxa.fasta"
    fasta.write_text("".join(f">{header}\n{letters}\n" for header, letters in records))
    sources = TaxonSources(None, write_taxonomy(folder / "taxdump") if tree else None)
    build_database([fasta], folder / "data", name="taxa", shards=shards, taxon_sources=sources)
    return Catalog(folder / "data").current("taxa")
