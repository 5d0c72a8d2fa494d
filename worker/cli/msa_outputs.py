"""What `shardwater msa` writes: files in a folder, or a line of JSON a query; what is there is not made again."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from shardwater.formats.file_names import safe
from shardwater.formats.msas.writers import MSA_FORMATS, MsaFormatName
from worker.cli.console import new_output
from worker.cli.msa_queries import Query

UNFINISHED = ".unfinished"
"""In a folder: the file that is being written."""
FAILED = b'{"error": '
"""How the line of a query without MSAs begins."""


@dataclass(frozen=True, slots=True)
class WhichMsa:
    """One MSA of a query: of which chain, from 1; `then`: by the second list of databases; pairs: only paired rows."""

    chain: int
    then: bool = False
    pairs: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """Which MSAs of each query are written, and how."""

    forms: tuple[MsaFormatName, ...]
    then: bool
    pairs: bool

    def of(self, query: Query) -> list[WhichMsa]:
        """Those of a query; only chains of a complex are paired."""
        chains = range(1, len(query.chains) + 1)
        kinds = [
            (False, False),
            *([(True, False)] if self.then else []),
            *([(False, True)] if self._paired(query) else []),
        ]
        return [WhichMsa(chain, *kind) for chain in chains for kind in kinds]

    def _paired(self, query: Query) -> bool:
        return self.pairs and len(query.chains) > 1


class Made(Protocol):
    """The MSAs of a query, which are there."""

    @property
    def query(self) -> Query:
        """Whose they are."""

    def written(self, wanted: WhichMsa, form: MsaFormatName) -> Iterator[bytes]:
        """One of them in a format, in pieces."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A query without MSAs, and why."""

    query: Query
    reason: str


class MsaOutput(Protocol):
    """Where MSAs go."""

    @property
    def failed(self) -> int:
        """Queries without MSAs that are told in it already."""

    def has(self, query: Query) -> bool:
        """Whether all of a query is there."""

    def take(self, made: Made | Failed) -> None:
        """Write what there is of a query."""


@dataclass(frozen=True, slots=True)
class MsaFolder:
    """A file for each MSA and format, which has its name when all of it is written."""

    folder: Path
    choice: Choice
    failed: int = 0

    def has(self, query: Query) -> bool:
        """Whether all its files are there."""
        return all((self.folder / name).exists() for _, _, name in self._files(query))

    def take(self, made: Made | Failed) -> None:
        """Write the files that are not there; a query that has failed has none."""
        if isinstance(made, Failed):
            return
        for wanted, form, name in self._files(made.query):
            if (self.folder / name).exists():
                continue
            with new_output(self.folder / UNFINISHED) as file:
                file.writelines(made.written(wanted, form))
                file.flush()
                # What has its name is all there, also after a power cut.
                os.fsync(file.fileno())
            (self.folder / UNFINISHED).replace(self.folder / name)

    def _files(self, query: Query) -> Iterator[tuple[WhichMsa, MsaFormatName, str]]:
        for wanted in self.choice.of(query):
            for form in self.choice.forms:
                yield wanted, form, file_name(query, wanted) + MSA_FORMATS[form].ending


def file_name(query: Query, wanted: WhichMsa) -> str:
    """The name of an MSA's file without its ending: no other of these queries has it, on any system."""
    chain = f"chain{wanted.chain}" if len(query.chains) > 1 else ""
    kind = "then" if wanted.then else "pairs" if wanted.pairs else ""
    return ".".join(part for part in (str(query.number), safe(query.id), chain, kind) if part)


@dataclass(slots=True)
class MsaLines:
    """A line of JSON for each query, in their order; so many are there already."""

    file: BinaryIO
    choice: Choice
    done: int = 0
    failed: int = 0

    def has(self, query: Query) -> bool:
        """Whether its line is there."""
        return query.number <= self.done

    def take(self, made: Made | Failed) -> None:
        """Write its line."""
        line = _failed_line(made) if isinstance(made, Failed) else self._line(made)
        self.file.write(line + b"\n")
        self.file.flush()
        self.done = made.query.number

    def _line(self, made: Made) -> bytes:
        query = made.query
        head = json.dumps({"number": query.number, "id": query.id})[:-1].encode()
        msas = b", ".join(self._msa(made, wanted) for wanted in self.choice.of(query))
        return head + b', "msas": [' + msas + b"]}"

    def _msa(self, made: Made, wanted: WhichMsa) -> bytes:
        of = {"of": "then" if wanted.then else "databases", "pairs": wanted.pairs}
        told = {"chain": wanted.chain, "id": made.query.chains[wanted.chain - 1].id, **of}
        members = [json.dumps(told)[1:-1].encode()]
        for form in self.choice.forms:
            text = b"".join(made.written(wanted, form))
            value = text.replace(b"\n", b"") if form == "json" else json.dumps(text.decode()).encode()
            members.append(b'"%b": %b' % (form.encode(), value))
        return b"{" + b", ".join(members) + b"}"


def _failed_line(failed: Failed) -> bytes:
    told = {"number": failed.query.number, "id": failed.query.id}
    return FAILED + json.dumps(failed.reason).encode() + b", " + json.dumps(told)[1:].encode()
