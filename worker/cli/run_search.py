"""What `shardwater search` does: read the queries, search here or there, write the result."""

import gzip
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from pydantic import ValidationError

from gpu import open_engine
from shardwater.engines.engine import Engine
from shardwater.errors import AlignError, FastaFormatError, ScoringError
from shardwater.formats.pssms.reading import read_pssm
from shardwater.formats.pssms.saved import SavedPssm
from shardwater.profiles.iterated import Iterated, in_rounds
from shardwater.scoring.matrix_text import read_matrix
from shardwater.scoring.scoring import MATRICES, own_matrix
from shardwater.search.among import part_of
from shardwater.search.databases import SearchedDatabase, wholes_of
from shardwater.search.hits import ShardResult
from shardwater.search.merge import NarrowShortlist, Searched, SearchResult, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.scores import Keep
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.search.step import Step
from shardwater.search.warnings import WITHOUT_TREE, QueryWarning, query_warnings
from shardwater.sequences.blocks import GZIP_MAGIC
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.steps import finish
from worker.cli.console import (
    Exit,
    ManyWarnings,
    ShowSearch,
    input_errors,
    search_bar,
    stop,
    warn_of_text,
    whole_output,
)
from worker.cli.output_format import OutputFormat
from worker.cli.pssm_output import PssmOutput
from worker.cli.score_output import ScoreOutput, kept_scores
from worker.cli.simulations import simulated_here
from worker.cli.subjects import Opened, Subjects, open_subjects
from worker.jobs.costs import Costs, Experience, Work
from worker.jobs.kept_searches import OwnMatrixSearch
from worker.jobs.progress import PassProgress
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import digested
from worker.jobs.sentences import sentence
from worker.runner.devices import device_failure
from worker.settings import Settings

if TYPE_CHECKING:
    from worker.jobs.results.signing import Signer

LOCAL = "local"
"""What stands for the id of a search in a result that no server has made."""
Keeps = Sequence[Keep | None]
"""Who gets all scores of each database; empty where nobody does."""
_FLAGS = {
    "database": "db",
    "databases": "db",
    "gap_open": "gapopen",
    "gap_extend": "gapextend",
    "iterations": "num_iterations",
    "inclusion_evalue": "inclusion_ethresh",
    "pssm": "in_pssm",
}
"""Those that have another name than the field of a request."""


@dataclass(frozen=True, slots=True)
class Destination:
    """Where to search: through a server, for how long (s), or here: which subjects, by how many threads (0: all), and
    who signs the result.
    """

    server: str | None
    timeout: float
    subjects: Subjects | None = None
    threads: int = 0
    signer: "Signer | None" = None


@dataclass(frozen=True, slots=True)
class Asked:
    """Queries in a file of FASTA, or one with its profile, and the other fields of a request."""

    query: Path | None
    profile: Path | None
    fields: Mapping[str, object]

    def request(self) -> SearchRequest:
        """The request; raises typer.BadParameter, FastaFormatError and ScoringError."""
        if self.query is not None:
            text = read_text(self.query)
            read_fasta(text, file=str(self.query))
            warn_of_text(text, str(self.query))
            return _request({"sequence": decoded(text), **self.fields})
        assert self.profile is not None
        return _request({"pssm": _profile_text(self.profile, "matrix" in self.fields), **self.fields})


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is written: the result, and besides it all scores and the profiles of the last round."""

    form: OutputFormat
    out: Path | None
    scores: ScoreOutput | None = None
    profiles: Sequence[PssmOutput] = ()


def run_search(asked: Asked, place: Destination, outputs: Outputs) -> None:
    """The whole command; ends it with its exit code where something is wrong."""
    with input_errors():
        request, form, scores = asked.request(), outputs.form, outputs.scores
        parameters = request.parameters
        odd = _shown((record.id, query_warnings(record, parameters)) for record in request.records())
        _tell(odd)
        for output in outputs.profiles:
            output.warn_of_several(len(request.records()))
        if place.subjects is None:
            result = _search_there(request, place.server or "", place.timeout)
            form.write(result, outputs.out, queries=request.whole_records())
            _fetch(result, place.server or "", outputs)
        else:
            with open_subjects(place.subjects) as opened, kept_scores(scores, opened.databases, request) as kept:
                keeps = () if kept is None else kept.keeps
                found = search_here(request.records(), parameters, opened, place, keeps)
                result = found.result
                form.write(result, outputs.out, opened.databases, request.whole_records())
                if kept is not None:
                    kept.write(result)
            for output in outputs.profiles:
                output.write(found.profiles)
        after = _shown((one.query.id, one.warnings) for one in result.results)
        _tell([each for each in after if each not in odd])


def _profile_text(file: Path, has_matrix: bool) -> str:
    """A profile's text; raises ScoringError, and typer.BadParameter for one that needs a matrix that is not given."""
    text = decoded(read_text(file))
    try:
        named = read_pssm(text).matrix
    except AlignError as error:
        raise ScoringError(f"{file}: {error}") from None
    if named.upper() not in MATRICES and not has_matrix:
        raise typer.BadParameter(f"{file} was made with a matrix of your own: name its file", param_hint="-matrix")
    return text


def _shown(found: Iterable[tuple[str, Iterable[QueryWarning]]]) -> list[str]:
    """The warnings of all queries in their order, each of which comes with its id; once what is the same of all."""
    lines = (
        warning.detail if warning.code == WITHOUT_TREE else f"query {number} ({query}): {warning.detail}"
        for number, (query, warnings) in enumerate(found, start=1)
        for warning in warnings
    )
    return list(dict.fromkeys(lines))


def _tell(warnings: Sequence[str]) -> None:
    many = ManyWarnings(": a result in JSON (-outfmt json) has all")
    for warning in warnings:
        many.add(warning)
    many.tell()


def _request(asked: Mapping[str, object]) -> SearchRequest:
    own = _own_matrix(asked)
    try:
        return (OwnMatrixSearch if own else SearchRequest).model_validate({**asked, **own})
    except ValidationError as error:
        # The queries have been read: what is wrong now is the value of a flag.
        [first, *_] = error.errors()
        raise typer.BadParameter(sentence(first), param_hint=_flag(first["loc"])) from None


def _own_matrix(fields: Mapping[str, object]) -> dict[str, object]:
    """The name and the scores of a matrix in a file, where the one asked for is not known by its name."""
    named = str(fields.get("matrix", MATRICES[0]))
    file = Path(named)
    if named.upper() in MATRICES:
        return {}
    if not file.is_file():
        known = f"{', '.join(MATRICES)}, or a file of your own, which an id of a server does not stand for here"
        raise typer.BadParameter(f"{named}: no such matrix, and no such file; there are {known}", param_hint="-matrix")
    try:
        rows = read_matrix(read_text(file).decode(errors="replace"))
    except ScoringError as error:
        raise ScoringError(f"{file}: {error}") from None
    return {"matrix": own_matrix(rows).name, "matrix_scores": rows}


def _flag(place: Sequence[str | int]) -> str | None:
    """The flag of a request's field; of what is wrong with several together there is none."""
    return f"-{_FLAGS.get(str(place[0]), place[0])}" if place else None


def read_text(file: Path) -> bytes:
    """The text of a file that may be gzip; of standard input where it is called -."""
    content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    if not content.startswith(GZIP_MAGIC):
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise FastaFormatError(f"corrupt or truncated gzip file ({error})", file=str(file)) from None


@dataclass(frozen=True, slots=True)
class FoundHere:
    """The result of a search, and the profile that its last round was made with, of each query that had one."""

    result: SearchResult
    profiles: Sequence[SavedPssm | None]


def search_here(
    records: list[Record], parameters: Parameters, opened: Opened, place: Destination, keeps: Keeps = ()
) -> FoundHere:
    """The result of a search of whole databases, each as one shard of this process; keeps: who gets all scores of each.

    Raises DatabaseError where a file has changed meanwhile.
    """
    try:
        return _compute(records, parameters, opened, place, keeps)
    except Exception as error:
        failure = device_failure(error)
        if failure is not None:
            stop(failure, Exit.DEVICE)
        raise


def _compute(
    records: list[Record], asked_for: Parameters, opened: Opened, place: Destination, keeps: Keeps = ()
) -> FoundHere:
    threads, parameters = place.threads, asked_for
    if parameters.statistics == "simulated":
        parameters = replace(parameters, simulated=simulated_here(parameters.scoring, threads or None))
    searched = Searched(LOCAL, opened.chosen(parameters), asked_for, records)
    engine = open_engine(threads or None)

    def find(asked: ShardSearch) -> list[ShardResult]:
        return _found(engine, opened, searched.databases, asked, keeps, threads)

    last = Iterated.first(records)
    if parameters.iterations > 1:
        last, result = in_rounds(searched, parameters, find)
    else:
        asked = ShardSearch(records, parameters)
        try:
            result = assemble(searched, find(asked))
        except NarrowShortlist:
            result = assemble(searched, find(replace(asked, any_line=True)))
    opened.check()
    return FoundHere(digested(result, place.signer), [turn.saved(parameters.scoring) for turn in last.turns])


def _found(
    engine: Engine,
    opened: Opened,
    searched: Sequence[SearchedDatabase],
    asked: ShardSearch,
    keeps: Keeps,
    threads: int,
) -> list[ShardResult]:
    """What is found in each database, one of which is loaded at a time."""
    found: list[ShardResult] = []
    wholes = [part.database.shard(0, 1) for part in opened.databases.parts]
    shards = [part_of(whole, asked.parameters) for whole in wholes]
    usual = [Costs.usual(engine.name, each.residues, len(each), threads or os.cpu_count() or 1) for each in shards]
    works = [Work.of(asked.queries, asked.parameters, len(shard)) for shard in shards]
    seconds = [costs.seconds(work) for costs, work in zip(usual, works, strict=True)]
    with search_bar() as show:
        for number, (shard, whole) in enumerate(zip(shards, wholes_of(searched), strict=True)):
            engine.load(wholes[number])
            # Of all scores nothing is left to keep where a search is made again.
            keep = keeps[number] if keeps and not asked.any_line else None
            progress = PassProgress(
                works[number], int(works[number].residues) * shard.residues, Experience(usual[number])
            )
            steps = find_all_hits(engine, shard, [replace(asked, keep=keep, whole=whole)])
            found += finish(steps, _show_steps(progress, _part_of(show, seconds, number)))
    return found


def _part_of(show: ShowSearch, seconds: Sequence[float], number: int) -> ShowSearch:
    """Shows one pass of several that are expected to take so many seconds each."""
    before, after, total = sum(seconds[:number]), sum(seconds[number + 1 :]), sum(seconds)

    def show_part(share: float, phase: str, left_s: float | None) -> None:
        show((before + share * seconds[number]) / total, phase, None if left_s is None else left_s + after)

    return show_part


def _show_steps(progress: PassProgress, show: ShowSearch) -> Callable[[Step], None]:
    """Shows how far a pass is, by what is usual for the engine and what the pass itself has taken so far."""
    started = time.monotonic()

    def between(step: Step) -> None:
        progress.add(step, time.monotonic() - started)
        now = progress.now
        show(now.share, now.phase, now.left_s)

    return between


def _search_there(request: SearchRequest, server: str, timeout: float) -> SearchResult:
    # Only now: a search here is made without loading HTTP.
    from worker.cli.remote import Remote, remote_errors, search_remotely

    with remote_errors(), search_bar() as show:
        return search_remotely(Remote(server, Settings.from_env().api_key), request, timeout, show)


def _fetch(result: SearchResult, server: str, outputs: Outputs) -> None:
    """What a server has besides the result."""
    from worker.cli.remote import Remote, remote_errors
    from worker.cli.remote_align import fetched

    if outputs.scores is None and not outputs.profiles:
        return
    place = f"/v1/searches/{result.search}"
    with remote_errors(), Remote(server, Settings.from_env().api_key).http as http:
        if outputs.scores is not None:
            with whole_output(outputs.scores.path) as file:
                file.writelines(fetched(http, f"{place}/scores?format={outputs.scores.form}"))
        made = [each.query.profile is not None for each in result.results]
        for output in outputs.profiles:
            places = (f"{place}/pssm?query={number}&format={output.form}" for number in range(1, len(made) + 1))
            output.write_texts(
                [fetched(http, each) if there else None for each, there in zip(places, made, strict=True)]
            )
