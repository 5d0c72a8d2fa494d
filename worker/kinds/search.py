"""The search: a part for each shard, whose hits are merged into the one list of the whole database."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from shardwater.errors import EngineError
from shardwater.search.hits import ShardResult
from shardwater.search.merge import NarrowShortlist, Searched, SearchResult, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.scores import Keep
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.search.step import Steps
from shardwater.search.warnings import numbered_warnings
from shardwater.sequences.fasta import Record
from shardwater.statistics.simulation import BLOCK_CELLS
from worker.jobs.costs import Work
from worker.jobs.ids import SEARCH as SEARCH_NAME
from worker.jobs.requests import SearchRequest, read_request
from worker.jobs.results.digested import digested
from worker.jobs.results.packing import pack
from worker.jobs.results.parts import pack_part, read_part
from worker.jobs.rounds import Round
from worker.jobs.score_files import ScoreFiles, score_bytes
from worker.jobs.submission import NewJob
from worker.jobs.targets import TARGET_JSON, SearchTarget, of_database
from worker.kinds.kind import Answered, FrontEnd, Kind, PartAnswer, Workplace
from worker.kinds.simulating import simulated_for

if TYPE_CHECKING:
    from worker.queue.part_queue import LeasedPart

_SHARD_RESULT = TypeAdapter(ShardResult)
_RESULT = TypeAdapter(SearchResult)


def plan(request: SearchRequest, records: Sequence[Record], target: SearchTarget, blocks: int = 0) -> NewJob:
    """A search of a database version; the records are the request's own.

    blocks: of the simulation that its statistics need, that are still to be done.
    """
    residues, simulated = sum(len(record.residues) for record in records), blocks * BLOCK_CELLS
    work = Work.of(records, request.parameters, target.size.subjects // target.shards)
    return NewJob(
        kind=SEARCH_NAME,
        request=request.model_dump_json(exclude_unset=True),
        content=_content(request, records),
        target=target,
        residues=residues,
        cells=residues * target.size.residues + shuffled_cells(request.parameters, residues, target) + simulated,
        work=replace(work, simulated=simulated / target.shards),
        # One whose scores are kept is done alone: a full disk is no other's fault.
        batch="" if request.keeps_scores else batch_of(request.parameters),
        title=request.title,
        warnings=numbered_warnings(records, request.parameters),
        score_bytes=score_bytes(target, len(records)) if request.keeps_scores else 0,
    )


def shuffled_pairs(parameters: Parameters, queries: int, target: SearchTarget) -> int:
    """Shuffles of so many queries and of their subjects that are scored at most, by each shard."""
    return 2 * parameters.shuffles * min(parameters.aligned, target.size.subjects) * queries


def shuffled_cells(parameters: Parameters, residues: int, target: SearchTarget) -> int:
    """The cells that are expected of them, for so many residues of queries: a mean subject stands for each."""
    return shuffled_pairs(parameters, residues, target) * target.size.residues // max(1, target.size.subjects)


def batch_of(parameters: Parameters) -> str:
    """What searches have in common that are made in one pass."""
    scoring, surveyed = parameters.kind
    return f"{scoring.matrix} {scoring.gap_open} {scoring.gap_extend} {'surveyed' if surveyed else ''}"


def _content(request: SearchRequest, records: Sequence[Record]) -> tuple[str, ...]:
    """What is asked for: equal for equal work, however it was written."""
    content = [request.database, repr(request.parameters), request.title]
    if request.keeps_scores:
        content.append("scores")
    for record in records:
        content.extend((record.header, record.residues.decode()))
        if record.whole is not None:
            content.append(str(record.whole))
    return tuple(content)


def run(place: Workplace, parts: Sequence["LeasedPart"]) -> Steps[list[PartAnswer]]:
    """Search a shard for all of them in one pass; a second round writes all scores once more."""
    requests = [_request(part) for part in parts]
    with ExitStack() as stack:
        keeps: list[Keep | None] = [None for _ in parts]
        for number, (part, request) in enumerate(zip(parts, requests, strict=True)):
            if request.keeps_scores:
                files = ScoreFiles(place.files, part.search, of_database(part.target), len(request.records()))
                keeps[number] = stack.enter_context(files.writing(place.shard.index))
        found = yield from find_hits_of(place, parts, requests, keeps)
    return [PartAnswer(pack_part(_SHARD_RESULT, result), result.cells) for result in found]


def find_hits_of(
    place: Workplace,
    parts: Sequence["LeasedPart"],
    requests: Sequence[SearchRequest],
    keeps: Sequence[Keep | None] | None = None,
) -> Steps[list[ShardResult]]:
    """What one shard has for each of these searches, whose parts these are; keeps: who gets all scores of each."""
    parameters = yield from _parameters(place, requests)
    searches = [
        ShardSearch(request.records(), each, part.target.parts > 1 and place.store.is_again(part.search), keep)
        for part, request, each, keep in zip(parts, requests, parameters, keeps or [None] * len(parts), strict=True)
    ]
    return (yield from find_all_hits(place.engine, place.shard, searches))


def _parameters(place: Workplace, requests: Sequence[SearchRequest]) -> Steps[list[Parameters]]:
    """What is asked for, and the parameters that are simulated for it; searches in one pass have one scoring."""
    asked, simulated = [request.parameters for request in requests], None
    if any(each.statistics == "simulated" for each in asked):
        simulated = yield from simulated_for(place, asked[0].scoring)
    return [replace(each, simulated=simulated) if each.statistics == "simulated" else each for each in asked]


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    """The whole result, merged; its shards search again where they have chosen their best by another line's slope.

    Raises UnreadablePart besides for a shard whose scores were to be kept and are not.
    """
    request = read_request(answered.request)
    try:
        result = merged(answered, request, answered.job)
    except NarrowShortlist:
        return again(answered, front_end)
    if request.keeps_scores:
        target = of_database(TARGET_JSON.validate_json(answered.target))
        ScoreFiles(front_end.files, answered.job, target, len(result.results)).complete()
    return pack(_RESULT.dump_json(digested(result, front_end.signer)))


def merged(answered: Answered, request: SearchRequest, search: str) -> SearchResult:
    """The result of a search that these parts are of. Raises UnreadablePart, and what assemble does."""
    target = of_database(TARGET_JSON.validate_json(answered.target))
    searched = Searched(search, target.used, target.size, request.parameters, request.records())
    return assemble(searched, [read_part(_SHARD_RESULT, shard, part) for shard, part in answered.parts.items()])


def again(answered: Answered, front_end: FrontEnd) -> Round:
    """Have the shards search for a line of any slope, once; raises EngineError where that has not helped."""
    if len(answered.parts) == 1 or answered.again:
        raise EngineError("the shards have chosen other hits than the whole database's statistics do")
    return Round.repeated(front_end.store, answered.job)


def cells(part: "LeasedPart", place: Workplace) -> int:
    """Query residues times the shard's."""
    return part.residues * place.shard.residues


def _request(part: "LeasedPart") -> SearchRequest:
    assert isinstance(part.request, SearchRequest)
    return part.request


SEARCH = Kind(SEARCH_NAME, read_request, cells, run, advance)
