"""Harm done to bytes, and what is read from a database's version after that."""

from dataclasses import dataclass
from pathlib import Path

from shardwater.database.database import Database
from shardwater.engines.cpu import CpuEngine
from shardwater.search.hits import ShardResult
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record

QUERY = Record("q", b"MKVLAAGIVALLLAAACSSGDEHHKLMNPQRSTVWY")
KINDS = ("flip", "cut", "extend", "empty", "zero", "ones")


@dataclass(frozen=True)
class Damage:
    """Something done to a file's bytes at a place, which is a share of them, 0 to 1."""

    kind: str
    place: float
    size: int
    bit: int

    def done_to(self, content: bytes) -> bytes:
        """The bytes after it; of nothing there is nothing to damage."""
        if not content:
            return content
        changed, at = bytearray(content), min(int(self.place * len(content)), len(content) - 1)
        match self.kind:
            case "flip":
                changed[at] ^= 1 << self.bit
            case "cut":
                del changed[at:]
            case "extend":
                changed += content[: self.size]
            case "empty":
                changed.clear()
            case "zero":
                changed[at : at + self.size] = bytes(len(content[at : at + self.size]))
            case "ones":
                changed[at : at + self.size] = b"\xff" * len(content[at : at + self.size])
        return bytes(changed)


def answer(path: Path) -> ShardResult:
    """What a search of a version finds."""
    shard, engine = Database.open(path).shard(0, 1), CpuEngine(threads=1)
    engine.load(shard)
    return find_hits(engine, shard, [QUERY], Parameters())


def read_names(path: Path, step: int = 1) -> None:
    """Read every step-th subject, and look it up by its name."""
    database = Database.open(path)
    for subject in range(0, len(database), step):
        assert len(database.sequence(subject)) == database.lengths[subject]
        found = database.find(database.accession(subject))
        assert found is None or database.accession(found) == database.accession(subject)
