"""The formats that a result can be had in over HTTP, and which of them an Accept header asks for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app.problems import NotHereError
from app.responses.negotiation import best_of
from app.responses.written import Begun
from shardwater.database.database import Database
from shardwater.database.joined import Joined
from shardwater.formats import parquet
from shardwater.formats.anchored import ANCHORED, AnchoredName, write_anchored
from shardwater.formats.chunks import in_chunks
from shardwater.formats.fasta import write_fasta_hits
from shardwater.formats.table import PLAIN, Style
from shardwater.formats.writers import WRITERS, FormatName, columns_of
from shardwater.search.databases import DatabaseUsed
from shardwater.search.merge import Report, SearchResult
from shardwater.sequences.fasta import Record
from worker.jobs.results.digested import RESULT_JSON
from worker.jobs.results.stored import StoredResult
from worker.jobs.store import JobStore

TEXT, OBJECT, BINARY = {"type": "string"}, {"type": "object"}, {"type": "string", "format": "binary"}
"""What a reply's content is to the interface's description."""

OBJECTS = 2
"""What is read and written of a query's part takes so many times the bytes of its JSON."""

Versions = Callable[[str, str], Database]
"""A way to a version of a database, by its name and version."""


@dataclass(frozen=True, slots=True)
class Output:
    """A result and what of it is wanted: all, or a part; ways to databases' versions and to the queries of what is
    wanted; a table's columns and style.
    """

    stored: StoredResult
    part: SearchResult | None
    database: Versions
    queries: Callable[[], Sequence[Record]]
    column_names: str = "std"
    style: Style = PLAIN

    @property
    def report(self) -> Report:
        """What is to be written."""
        return self.part or self.stored.report()


def queries_of(store: JobStore, search: str, query: int | None = None) -> list[Record]:
    """The queries that a search was sent, or one of them by its number, from 1; raises DamagedJob."""
    asked, _ = store.request(search)
    records = asked.whole_records()
    return records if query is None else records[query - 1 : query]


def _json(output: Output) -> Iterable[bytes]:
    return output.stored.json() if output.part is None else (RESULT_JSON.dump_json(output.part),)


def _lines(output: Output) -> Iterable[bytes]:
    return output.stored.lines() if output.part is None else (RESULT_JSON.dump_json(output.part) + b"\n",)


def databases_of(report: Report, versions: Versions) -> Joined:
    """The very databases that a search has searched; raises NotHereError, and what `versions` does."""
    used = report.each_database
    return Joined.of([_very(each, versions) for each in used], [each.name for each in used])


def _very(used: DatabaseUsed, versions: Versions) -> Database:
    database = versions(used.name, used.version)
    if database.manifest.checksum != used.checksum:
        raise NotHereError(f"version {used.version} of database {used.name} has been built anew with other content")
    return database


def _fasta(output: Output) -> Iterable[str]:
    return write_fasta_hits(output.report, databases_of(output.report, output.database))


def _anchored(name: AnchoredName) -> Callable[[Output], Iterable[bytes]]:
    return lambda output: write_anchored(name, output.report, output.queries())


_OWN: dict[FormatName, Callable[[Output], Iterable[str | bytes]]] = {
    "json": _json,
    "ndjson": _lines,
    "fasta": _fasta,
    **{name: _anchored(name) for name in ANCHORED},
}


def _written(name: FormatName, output: Output) -> Iterable[str | bytes]:
    """The pieces of a format; raises what is wrong before there is one."""
    if name in _OWN:
        return _OWN[name](output)
    return WRITERS[name](output.report, columns_of(name, output.column_names), output.style)


@dataclass(frozen=True, slots=True)
class Format:
    """A format's media type and file ending, and what its content is to the interface's description."""

    media_type: str
    ending: str
    schema: Mapping[str, str] = field(default_factory=lambda: TEXT)


FORMATS: dict[FormatName, Format] = {
    "json": Format("application/json", "json"),
    "ndjson": Format("application/x-ndjson", "ndjson"),
    "tab": Format("text/tab-separated-values", "tsv"),
    "csv": Format("text/csv; header=present", "csv"),
    "pairwise": Format("text/plain", "txt"),
    "fasta": Format("text/x-fasta", "fasta"),
    "xml": Format("application/xml", "xml"),
    "blast-json": Format("application/x-blast+json", "blast.json", OBJECT),
    "sam": Format("text/x-sam", "sam"),
    "aligned-fasta": Format("text/x-aligned-fasta", "afa"),
    "stockholm": Format("text/x-stockholm", "sto"),
    "a3m": Format("text/x-a3m", "a3m"),
    "parquet": Format("application/vnd.apache.parquet", "parquet", BINARY),
    "7": Format("text/tab-separated-values", "tsv"),
    "10": Format("text/csv; header=absent", "csv"),
    "16": Format("application/xml", "xml"),
}


CONTENT = {
    "application/json": {},
    **{form.media_type: {"schema": form.schema} for name, form in FORMATS.items() if name != "json"},
}
"""What a result's reply may hold, for the interface's description, which has JSON's schema from the model.

JSON is first: whoever generates a client takes the first.
"""


def attachment(name: FormatName, file: str) -> dict[str, str]:
    """The header that names a result's file, given without its ending."""
    return {"Content-Disposition": f'attachment; filename="{file}.{FORMATS[name].ending}"'}


def begun(name: FormatName, output: Output, headers: dict[str, str]) -> Begun:
    """What is asked for in a format, written as it is sent; raises what is wrong with the question."""
    whole = name == "json" and output.part is None
    holds = output.stored.packed_size if whole else held_by_parts(output.stored)
    return Begun(headers, in_chunks(_written(name, output)), FORMATS[name].media_type, holds)


def held_by_parts(stored: StoredResult) -> int:
    """About the bytes that a reply holds that is written of one query's part after the other."""
    return stored.packed_size + OBJECTS * stored.largest


def offered() -> list[FormatName]:
    """The formats that this installation can write, by their names."""
    named = [name for name in FORMATS if not name.isdigit()]
    return [name for name in named if name != "parquet" or parquet.installed()]


def negotiate(accept: str | None) -> FormatName:
    """The best format of an Accept header; JSON where anything will do. Raises NotAcceptableError."""
    names = _negotiable()
    if "text/html" in (accept or "").lower():
        # A browser, which names XML only because pages may be written in it.
        names = {media_type: name for media_type, name in names.items() if name != "xml"}
    return best_of(accept, names, "" if parquet.installed() else f"; {parquet.MISSING}")


def _negotiable() -> dict[str, FormatName]:
    """The formats that this installation can write by their media types; of several with the same, the first."""
    names: dict[str, FormatName] = {}
    for name, form in FORMATS.items():
        if name != "parquet" or parquet.installed():
            names.setdefault(form.media_type, name)
    return names
