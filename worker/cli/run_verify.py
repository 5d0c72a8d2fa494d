"""What `shardwater verify` does: open the very database, make the search again or score a sample, tell what differs."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from pydantic import ValidationError

from shardwater.errors import AlignError
from shardwater.formats.pssms.reading import is_pssm
from shardwater.plural import plural
from shardwater.scoring.scoring import MATRICES
from shardwater.search.among import subjects_at
from shardwater.search.checking import Sample
from shardwater.search.digests import NoDigest, WrongDigest, check_digest, query_digest, result_digest
from shardwater.search.merge import SearchResult
from shardwater.search.plain import plain_of
from shardwater.search.sampling import choose, score_subjects
from shardwater.search.step import Step
from shardwater.search.verification import Difference, Differences, compare
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import Record, read_fasta
from shardwater.software import software
from shardwater.steps import finish
from worker.cli.console import Exit, ShowProgress, printable, progress_bar, search_bar, warn
from worker.cli.run_search import LOCAL, Destination, read_text, search_here
from worker.cli.subjects import NAME, Opened, open_searched
from worker.jobs.kept_searches import OwnMatrixSearch
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import NoResult, parse_result, plain_json
from worker.jobs.sentences import sentence
from worker.settings import Settings

if TYPE_CHECKING:
    from worker.cli.remote import Remote


class WrongQueries(AlignError):
    """Queries that are not those of the result."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A result from a file, as its JSON is and as what that says; changed tells how its digest shows a change."""

    plain: dict[str, Any]
    result: SearchResult
    changed: str = ""

    @property
    def seed(self) -> str:
        """What a sample follows from: the digest that the result should have."""
        return result_digest(self.plain, [query_digest(part) for part in self.plain["results"]])


def verify_here(source: Path, query: Path, settings: Settings, sample: int | None) -> None:
    """The whole command; ends it with its exit code where something differs. Raises AlignError for wrong input."""
    stored = _read(source)
    request = _request(source, stored.result, query)
    records = request.records()
    _check_queries(query, records, stored.result)
    opened = open_searched(settings.existing_data, stored.result)
    started = time.monotonic()
    if sample is None:
        place = Destination(None, 0, threads=settings.threads)
        computed = search_here(records, request.parameters, opened, place).result
        differences = compare(stored.plain, plain_json(computed))
    else:
        differences = _sampled(stored, records, opened, request, sample)
    _end(differences, [stored.changed], f"{_compared(stored.result, sample)}, in {time.monotonic() - started:.1f} s")


def verify_there(source: Path, remote: "Remote", sample: int | None, timeout_s: float) -> None:
    """The same by the server that has made the result: it compares what it has kept, and here that is compared."""
    from worker.cli.remote import remote_errors, verify_remotely

    stored = _read(source)
    if stored.result.search == LOCAL:
        raise NoResult(f"{source}: no server has made it; verify it with --query and --data")
    with remote_errors(), search_bar() as show:
        report = verify_remotely(remote, stored.result.search, sample, timeout_s, show)
    if report["stored_digest"] is None and not report["changed"]:
        raise NoResult(f"{source}: the server has no digest to compare it with; verify it with --query and --data")
    same = report["stored_digest"] in (stored.seed, None)
    other = "" if same else f"{source} is not the whole result that the server has kept: another one, or a part"
    first = tuple(
        Difference(**{each.name: told[each.name] for each in fields(Difference)}) for told in report["differences"]
    )
    changed = [stored.changed, report["changed"], other]
    _end(Differences(first, report["total"]), changed, _compared(stored.result, sample), report["software"])


def _end(differences: Differences, changed: Sequence[str], compared: str, here: str = "") -> None:
    """Say what was found equal, or tell what differs, and end the command with its exit code."""
    told = [each for each in changed if each]
    if not differences.total and not told:
        _say(f"equal: {compared}")
        return
    _tell(differences, told, here or software().version)
    raise typer.Exit(Exit.DIFFERENT)


def _read(source: Path) -> _Stored:
    """The result in a file; where its digest is wrong the rest may be right, and the other way round."""
    try:
        plain, result = parse_result(read_text(source))
    except NoResult as error:
        raise NoResult(f"{source}: {error}") from None
    if "next_page_token" in plain:
        raise NoResult(f"{source}: a page of a result: the whole is needed")
    try:
        check_digest(plain)
    except NoDigest as error:
        warn(f"{source}: {error}")
    except WrongDigest as error:
        return _Stored(plain, result, str(error))
    except RecursionError:
        raise NoResult(f"{source}: not the JSON of a Shardwater result") from None
    return _Stored(plain, result)


def _request(source: Path, result: SearchResult, query: Path) -> SearchRequest:
    """The search that a result is of; one that was asked for with a profile needs that."""
    content = read_text(query)
    text = decoded(content)
    profile = is_pssm(text)
    if not profile and result.parameters.iterations == 1 and any(one.query.profile for one in result.results):
        raise WrongQueries(f"{query}: the search was made with a profile: --query names that")
    if not profile:
        read_fasta(content, file=str(query))
    sent = {"pssm" if profile else "sequence": text}
    try:
        fields = {**sent, "database": NAME, **plain_of(result.parameters)}
        published = fields["matrix"] in MATRICES
        if fields["matrix_scores"] is None:
            del fields["matrix_scores"]
        return (SearchRequest if published else OwnMatrixSearch).model_validate(fields)
    except ValidationError as error:
        [first, *_] = error.errors()
        field = ".".join(map(str, first["loc"])) or "together"
        raise NoResult(f"{source}: no search has its parameters: {field}: {sentence(first)}") from None


def _check_queries(query: Path, records: Sequence[Record], result: SearchResult) -> None:
    if len(records) != len(result.results):
        queries = f"it has {plural(len(records), 'sequence')}, the result {len(result.results):,}"
        raise WrongQueries(f"{query}: not the queries of the result: {queries}")
    for number, (record, one) in enumerate(zip(records, result.results, strict=True), start=1):
        if (record.id, record.length) != (one.query.id, one.query.length):
            here, there = (
                f"{name!r} of {plural(length, 'residue')}"
                for name, length in (
                    (record.id, record.length),
                    (one.query.id, one.query.length),
                )
            )
            raise WrongQueries(f"{query}: not the queries of the result: number {number} is {here}, there {there}")


def _sampled(
    stored: _Stored, records: Sequence[Record], opened: Opened, request: SearchRequest, sample: int
) -> Differences:
    """What differs by the hits and so many subjects, which follow from the result."""
    databases, result = opened.databases, stored.result
    if request.iterations > 1:
        raise NoResult(
            "of a search in rounds no sample can be scored here, where its profiles are not: verify all of it"
        )
    parameters, searched = request.parameters, opened.chosen(request.parameters)
    before = [*accumulate((each.size.subjects for each in searched), initial=0)]
    subjects = subjects_at(databases, before, parameters, choose(before[-1], sample, stored.seed))
    checked = Sample(records, parameters, searched, databases, subjects)
    pairs = [(record, checked.chosen(one)) for record, one in zip(records, result.results, strict=True)]
    cells = sum(len(record.residues) * int(databases.lengths_of(chosen).sum()) for record, chosen in pairs)
    scores: list[dict[int, int]] = []
    with progress_bar("Scoring") as show:
        add = _adding(cells, show)
        for record, chosen in pairs:
            found: dict[int, int] = {}
            for part in databases.parts:
                own = [subject - part.first for subject in chosen if subject in part.subjects]
                steps = score_subjects(record, part.database, own, request.parameters.scoring)
                found.update((part.first + subject, score) for subject, score in finish(steps, add).items())
            scores.append(found)
    return checked.differences(result, scores, stored.plain)


def _adding(total: int, show: ShowProgress) -> Callable[[Step], None]:
    """Shows how many cells of all are done."""
    done = 0

    def add(step: Step) -> None:
        nonlocal done
        done += step.cells
        show(min(done, total), total)

    return add


def _compared(result: SearchResult, sample: int | None) -> str:
    """What was found equal."""
    number, used = result.certificate.subjects, result.database
    queries = plural(len(result.results), "query", "queries")
    hits = plural(sum(len(one.hits) for one in result.results), "hit")
    place = f"{used.name}, version {used.version}"
    if sample is None:
        return f"every value of {queries} with {hits}, searched for again in {plural(number, 'sequence')} of {place}"
    return f"{hits} of {queries}, and {min(sample, number):,} of {plural(number, 'sequence')} of {place}, scored again"


def _tell(differences: Differences, changed: Sequence[str], here: str) -> None:
    """What differs from what this version has computed, on standard output."""
    if differences.of_version_alone and not changed:
        [version] = differences.first
        made = str(version.stored).strip('"')
        _say(f"different: version {made} of Shardwater has made it, this is {here}; all else is equal")
        return
    _say(f"different: {plural(differences.total + len(changed), 'difference')}")
    for line in [*changed, *map(str, differences.first)]:
        _say(f"  {line}")
    if differences.total > len(differences.first):
        _say(f"  and {differences.total - len(differences.first):,} more")


def _say(line: str) -> None:
    """A line on standard output, whatever a result may hold."""
    typer.echo(printable(line).replace("\n", " "))
