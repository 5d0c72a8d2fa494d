"""What `shardwater msa` does: read queries one by one, have MSAs made here or there, write what is not there yet."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import typer
from pydantic import ValidationError

from shardwater.errors import FastaFormatError
from shardwater.formats.msas.names import MSA_NAMES
from shardwater.formats.msas.writers import MSA_FORMATS, MsaFormatName
from shardwater.plural import plural
from shardwater.search.databases import DatabaseUsed
from shardwater.search.warnings import pairing_warnings
from worker.cli.console import Exit, progress_bar, say, stop, warn
from worker.cli.msa_outputs import Choice, Failed, Made, MsaOutput
from worker.cli.msa_queries import FASTA, Checked, Digest, Query, QueryFile, QueryForm, opened_queries
from worker.cli.msa_runs import Run, begun
from worker.cli.run_align import interruptions
from worker.cli.run_search import Destination
from worker.cli.subjects import Subjects
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.sentences import sentence
from worker.settings import Settings

FLAGS = {
    "databases": "-db",
    "iterations": "-num_iterations",
    "inclusion_evalue": "-inclusion_ethresh",
    "max_sequences": "-max_target_seqs",
}
"""Those that have another name than the field of a request."""
_NO_QUERIES = [{"chains": ["X"]}]
"""In place of queries, which are read one by one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A file of queries, how they are searched for, and the formats that are written."""

    file: Path
    form: QueryForm
    request: MsaRequest
    formats: tuple[MsaFormatName, ...]

    @property
    def choice(self) -> Choice:
        """Which MSAs of each query are written."""
        return Choice(self.formats, bool(self.request.then), self.request.pairing != "none")

    def told(self, checked: Checked, databases: list[list[DatabaseUsed]]) -> dict[str, Any]:
        """All that decides what is written."""
        first, then, *_ = [[asdict(each) for each in one] for one in [*databases, []]]
        fields = self.request.model_dump(mode="json", exclude={"queries", "databases", "then", "title"})
        return {"queries": checked.digest, "databases": first, "then": then, **fields, "formats": list(self.formats)}


class Maker(Protocol):
    """What makes MSAs."""

    @property
    def databases(self) -> list[list[DatabaseUsed]]:
        """What is searched: in rounds, and after them."""

    @property
    def without_taxids(self) -> Sequence[str]:
        """Those of the first whose rows are in no pair."""

    def made(
        self, queries: Iterable[Query], show: Callable[[float], None], run: str
    ) -> Generator[Made | Failed, None, None]:
        """The MSAs of each query, in their order; show: is told how many are done. run: a name of the run's own."""

    def clear(self, run: str) -> None:
        """Remove what is left of a run of this name elsewhere."""


def request_of(fields: dict[str, object]) -> MsaRequest:
    """A request without queries. Raises typer.BadParameter."""
    try:
        return MsaRequest.model_validate({"queries": _NO_QUERIES, **fields})
    except ValidationError as error:
        [first, *_] = error.errors()
        name = str(first["loc"][0])
        raise typer.BadParameter(sentence(first), param_hint=FLAGS.get(name, f"-{name}")) from None


def formats_of(text: str) -> tuple[MsaFormatName, ...]:
    """Formats by their names, in their order, with blanks or commas between them. Raises typer.BadParameter."""
    named = text.replace(",", " ").split()
    if unknown := [name for name in named if name not in MSA_NAMES] or ([] if named else ["nothing"]):
        raise typer.BadParameter(
            f"MSAs are written as {', '.join(MSA_FORMATS)}, not {unknown[0]}", param_hint="-outfmt"
        )
    wanted = {MSA_NAMES[name] for name in named}
    return tuple(name for name in MSA_FORMATS if name in wanted)


def run_msa(asked: Asked, place: Destination, out: Path | None) -> None:
    """The whole command; ends it with its exit code where queries have failed. Raises AlignError and OSError."""
    with ExitStack() as stack:
        stack.enter_context(interruptions(_on_interruption(out)))
        queries = stack.enter_context(opened_queries(asked.file, asked.form))
        checked = queries.checked()
        if asked.request.pairing != "none" and asked.form == FASTA and not checked.complexes:
            why = "it is for complexes: put ':' between the chains of a record, or name a file with -complexes"
            raise typer.BadParameter(why, param_hint="-pairing")
        maker = stack.enter_context(_maker(asked.request, place))
        if asked.request.pairing != "none":
            for warning in pairing_warnings(maker.without_taxids):
                warn(warning.detail)
        run = stack.enter_context(begun(out, asked.choice, asked.told(checked, maker.databases)))
        counts = _make(queries, checked, maker, run)
    there = counts.there - run.output.failed
    say(f"shardwater: queries whose MSAs were made: {counts.made:,}; already there: {there:,}")
    if failed := run.output.failed + counts.failed:
        stop(f"{failed:,} of {plural(checked.queries, 'query', 'queries')} without MSAs", Exit.PARTLY)


def _on_interruption(out: Path | None) -> str:
    if out is None:
        return "not all MSAs were made"
    return f"the same command goes on with what is not in {out} yet"


def _unchanged(queries: QueryFile, checked: Checked) -> Iterator[Query]:
    """The queries; raises FastaFormatError where they are others than were checked."""
    digest = Digest()
    for query in queries:
        digest.add(query)
        yield query
    if digest.checked() != checked:
        raise FastaFormatError("it was written to while its queries were searched for", file=queries.name)


@dataclass(slots=True)
class _Counts:
    """Queries whose MSAs were made now, those whose were there before, and those that have failed."""

    made: int = 0
    there: int = 0
    failed: int = 0


def _left(queries: Iterable[Query], output: MsaOutput, counts: _Counts) -> Iterator[Query]:
    """Those that are not there yet."""
    for query in queries:
        if output.has(query):
            counts.there += 1
        else:
            yield query


def _make(queries: QueryFile, checked: Checked, maker: Maker, run: Run) -> _Counts:
    """Write what is not there yet."""
    counts = _Counts()
    left = _left(_unchanged(queries, checked), run.output, counts)
    with (
        progress_bar("MSAs") as show,
        closing(maker.made(left, lambda done: show(done, checked.queries), run.name)) as made,
    ):
        for one in made:
            if isinstance(one, Failed):
                counts.failed += 1
                warn(f"{one.query.called}: {one.reason}")
            else:
                counts.made += 1
            run.output.take(one)
            show(one.query.number, checked.queries)
    if run.resumed:
        maker.clear(run.name)
    return counts


@contextmanager
def _maker(request: MsaRequest, place: Destination) -> Iterator[Maker]:
    if place.subjects is None:
        # Only now: what is made here needs no HTTP.
        from worker.cli.remote import Remote, remote_errors
        from worker.cli.remote_msas import MsasThere

        with remote_errors(), Remote(place.server or "", Settings.from_env().api_key).http as http:
            yield MsasThere(http, request)
        return
    from worker.cli.chains_here import opened_here
    from worker.cli.msas_here import MsasHere

    lists = [request.databases, request.then] if request.then else [request.databases]
    with opened_here([Subjects(place.subjects.data, names) for names in lists], place.threads) as chains:
        yield MsasHere(chains, request)
