"""Databases made in passing: from records, and by a sorter with so little memory that it uses its files."""

from collections.abc import Callable
from pathlib import Path

from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.runs import Budgets

Build = Callable[..., Database]
"""What the fixture `build` is."""

TINY = Budgets(block=16, header=64, run=300, merge=24, subjects=3)
TWO = b">b second one\nMKVLA\nMK\n>a first\nMKV\n"


def build_tiny(folder: Path, *texts: bytes, budgets: Budgets = TINY, **labels: object) -> Database:
    """The database, `db` unless it has another name, of these FASTA texts, in a folder."""
    sources = []
    for number, text in enumerate(texts):
        sources.append(folder / f"{number}.fa")
        sources[-1].write_bytes(text)
    build_database(sources, folder / "data", **{"name": "db", "budgets": budgets, **labels})
    return Catalog(folder / "data").current(str(labels.get("name", "db")))
