"""Other programs that search in rounds: psiblast, mmseqs and jackhmmer (by pyhmmer), where they are installed."""

import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from shardwater.database.database import Database

EVALUE = "10"
"""Up to which hits are asked for."""
THREADS = "2"
Evalues = dict[int, dict[int, float]]
"""Of each query's subjects, by their numbers in the database."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Queries, by their numbers in the database, which are searched for in so many rounds; files of both, in a folder.

    Sequences are named by their numbers.
    """

    queries: list[int]
    rounds: int
    folder: Path
    query_file: Path
    database_file: Path

    @classmethod
    def of(cls, database: Database, queries: list[int], rounds: int, folder: Path) -> Self:
        """With files of these."""
        files = folder / "queries.fasta", folder / "database.fasta"
        for file, numbers in zip(files, (queries, range(len(database))), strict=True):
            file.write_bytes(b"".join(b">%d\n%s\n" % (number, database.sequence(number)) for number in numbers))
        return cls(queries, rounds, folder, *files)

    def run(self, *command: str | Path) -> str:
        """What a program prints. Raises FileNotFoundError with its name where it is not there."""
        name = str(command[0])
        if shutil.which(name) is None:
            raise FileNotFoundError(name)
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=self.folder).stdout


def psiblast(asked: Searched) -> Evalues:
    """The hits of its last round."""
    asked.run("makeblastdb", "-in", asked.database_file, "-dbtype", "prot", "-out", "blast")
    command = ["-num_iterations", str(asked.rounds), "-evalue", EVALUE, "-max_target_seqs", "20000"]
    columns = ["-outfmt", "7 qseqid sseqid evalue", "-num_threads", THREADS]
    text = asked.run("psiblast", "-query", asked.query_file, "-db", "blast", *command, *columns)
    found: Evalues = {}
    for line in text.splitlines():
        if line.startswith("# Query:"):
            # Once for each round: the last one counts.
            found[int(line.split()[2])] = {}
        elif "\t" in line:
            _add(found, [line.split("\t")])
    return found


def mmseqs(asked: Searched) -> Evalues:
    """Its iterated search, at its highest sensitivity."""
    (asked.folder / "mmseqs").mkdir()
    command = ["--num-iterations", str(asked.rounds), "-s", "7.5", "-e", EVALUE, "--max-seqs", "20000"]
    columns = ["--format-output", "query,target,evalue", "--threads", THREADS]
    files: list[str | Path] = [asked.query_file, asked.database_file, "mmseqs.tsv", "mmseqs"]
    asked.run("mmseqs", "easy-search", *files, *command, *columns)
    found: Evalues = {}
    _add(found, _fields(asked.folder / "mmseqs.tsv"))
    return found


def jackhmmer(asked: Searched) -> Evalues:
    """The hits of the last round of pyhmmer's, with HMMER's defaults."""
    try:
        import pyhmmer  # noqa: PLC0415  of those who have it
    except ModuleNotFoundError:
        raise FileNotFoundError("pyhmmer") from None
    alphabet = pyhmmer.easel.Alphabet.amino()
    queries, subjects = (
        pyhmmer.easel.SequenceFile(file, digital=True, alphabet=alphabet).read_block()
        for file in (asked.query_file, asked.database_file)
    )
    results = pyhmmer.hmmer.jackhmmer(
        queries, subjects, max_iterations=asked.rounds, cpus=int(THREADS), E=float(EVALUE)
    )
    # A round's query has a name of its own.
    return {
        query: {int(_text(hit.name)): hit.evalue for hit in result.hits}
        for query, result in zip(asked.queries, results, strict=True)
    }


def _text(name: str | bytes) -> str:
    return name if isinstance(name, str) else name.decode()


def _fields(file: Path) -> Iterator[list[str]]:
    with file.open() as lines:
        for line in lines:
            yield line.split("\t")


def _add(found: Evalues, hits: Iterable[list[str]]) -> None:
    """Hits as query, subject and E-value; of several of one subject the best counts."""
    for query, subject, evalue in hits:
        of_query = found.setdefault(int(query), {})
        of_query[int(subject)] = min(float(evalue), of_query.get(int(subject), float("inf")))


PEERS: dict[str, Callable[[Searched], Evalues]] = {"psiblast": psiblast, "mmseqs": mmseqs, "jackhmmer": jackhmmer}
