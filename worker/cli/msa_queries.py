"""The queries of `shardwater msa`: chains, or complexes of them, read one by one from a file of any size."""

import gzip
import hashlib
import json
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO, Literal

from pydantic import Field, ValidationError

from shardwater.errors import FastaFormatError
from shardwater.search.warnings import query_warnings
from shardwater.sequences.blocks import GZIP_MAGIC
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import BLANKS, BOM, QUERY_RULES, Record, count_headers
from shardwater.sequences.reads import read_queries
from worker.cli.console import ManyWarnings, printable
from worker.cli.run_align import called, opened
from worker.jobs.msa_requests import Complex, place_of, read_chains
from worker.jobs.sentences import sentence

BETWEEN = b":"
"""Between the chains of a complex in one record, as ColabFold has it."""
LONGEST_LINE = 1 << 24
SHOWN = 60
"""Letters of an id in a message."""
QueryForm = Literal["fasta", "complexes"]
FASTA: QueryForm = "fasta"
COMPLEXES: QueryForm = "complexes"


@dataclass(frozen=True, slots=True)
class Query:
    """A chain, or the chains of a complex. It is called by its number in the file, from 1, and its id."""

    number: int
    id: str
    chains: tuple[Record, ...]

    @property
    def residues(self) -> int:
        """Of all its chains."""
        return sum(len(chain.residues) for chain in self.chains)

    @property
    def called(self) -> str:
        """Its name in messages."""
        cut = self.id if len(self.id) <= SHOWN else f"{self.id[:SHOWN]}..."
        return f"query {self.number:,} ({printable(cut)})"


@dataclass(frozen=True, slots=True)
class Checked:
    """How many queries a file has, whether any of them is a complex of several chains, and a digest of them all."""

    queries: int
    complexes: bool
    digest: str


class Digest:
    """Counts queries, and takes their digest."""

    def __init__(self) -> None:
        self._queries, self._complexes, self._sha256 = 0, False, hashlib.sha256()

    def add(self, query: Query) -> None:
        """The next one."""
        told = [query.id, [[chain.header, chain.residues.decode()] for chain in query.chains]]
        self._queries += 1
        self._complexes |= len(query.chains) > 1
        self._sha256.update(json.dumps(told).encode() + b"\n")

    def checked(self) -> Checked:
        """What there were so far."""
        return Checked(self._queries, self._complexes, self._sha256.hexdigest())


@dataclass(frozen=True, slots=True)
class QueryFile:
    """A file that can be read from its beginning again."""

    file: BinaryIO
    name: str
    form: QueryForm

    def __iter__(self) -> Iterator[Query]:
        """Its queries; raises FastaFormatError."""
        self.file.seek(0)
        read = _of_fasta if self.form == FASTA else _of_lines
        yield from read(self.file, self.name)

    def checked(self) -> Checked:
        """All of it, read and found well; what is odd about queries is told. Raises FastaFormatError."""
        digest, odd = Digest(), ManyWarnings()
        for query in self:
            digest.add(query)
            for warning in _odd(query):
                odd.add(warning)
        odd.tell()
        return digest.checked()


def _odd(query: Query) -> Iterator[str]:
    for number, chain in enumerate(query.chains, start=1):
        of_several = f", chain {number}" if len(query.chains) > 1 else ""
        for warning in query_warnings(chain):
            yield f"{query.called}{of_several}: {warning.detail}"


@contextmanager
def opened_queries(path: Path, form: QueryForm) -> Iterator[QueryFile]:
    """The queries of a file, plain or gzip; those of a pipe are kept in a file of their own meanwhile."""
    with opened(path) as file:
        if str(path) != "-" and file.seekable():
            yield QueryFile(file, called(path), form)
            return
        with tempfile.TemporaryFile() as kept:
            shutil.copyfileobj(file, kept)
            yield QueryFile(kept, called(path), form)


def _of_fasta(file: BinaryIO, name: str) -> Iterator[Query]:
    for record in read_queries(file, name, BETWEEN):
        chains = [text.translate(None, BLANKS) for text in record.text.split(BETWEEN)]
        if not all(chains):
            what = "a chain with no residues: ':' parts two chains"
            raise FastaFormatError(what, file=name, record=record.number, line=max(1, record.line - 1))
        header = decoded(record.header).strip() or f"query_{record.number}"
        named = Record(header, b"")
        if len(chains) == 1:
            records = [Record(header, chains[0])]
        else:
            records = [
                Record(f"{named.id}_{place} {named.title}".rstrip(), chain)
                for place, chain in enumerate(chains, start=1)
            ]
        yield Query(record.number, named.id, tuple(each.without_stop() for each in records))


class _Line(Complex):
    """A complex on a line of its own; id: by which it is called."""

    id: str = Field("", max_length=QUERY_RULES.longest_header)


def _of_lines(file: BinaryIO, name: str) -> Iterator[Query]:
    """Complexes as JSON, a line each; lines may be blank."""
    number = 0
    for place, line in _lines(file, name):
        if not line.strip():
            continue
        number += 1
        yield _complex(number, line, f"{name}: line {place}")
    if not number:
        raise FastaFormatError("no complex found", file=name)


def _complex(number: int, line: bytes, where: str) -> Query:
    try:
        told = _Line.model_validate_json(line)
        records = read_chains(number, told.chains)
    except ValidationError as error:
        first = error.errors()[0]
        place = place_of(first["loc"])
        raise FastaFormatError(f"{place and f'{place}: '}{sentence(first)}", file=where) from None
    except FastaFormatError as error:
        raise FastaFormatError(str(error), file=where) from None
    id_ = told.id.strip() or f"complex_{number}"
    chains = zip(records, told.chains, strict=True)
    named = (
        record if count_headers(text) else Record(f"{id_}_{place}", record.residues)
        for place, (record, text) in enumerate(chains, start=1)
    )
    return Query(number, id_, tuple(named))


def _lines(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, from 1."""
    packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    file.seek(0)
    source = gzip.GzipFile(fileobj=file) if packed else file
    try:
        for place in count(1):
            line = source.readline(LONGEST_LINE + 1)
            if len(line) > LONGEST_LINE:
                raise FastaFormatError(f"a line of more than {LONGEST_LINE:,} bytes", file=name, line=place)
            if not line:
                return
            yield place, line.removeprefix(BOM) if place == 1 else line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FastaFormatError(f"corrupt or truncated gzip file ({error})", file=name) from None
