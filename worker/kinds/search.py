"""The search: a part for each shard, whose hits are merged into the one list of all its databases."""

import hashlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from shardwater.errors import EngineError
from shardwater.profiles.iterated import for_shards
from shardwater.search.among import part_of
from shardwater.search.databases import without_tree
from shardwater.search.hits import ShardResult
from shardwater.search.merge import NarrowShortlist, Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.scores import Keep
from shardwater.search.search import ShardSearch, find_all_hits
from shardwater.search.step import Steps
from shardwater.search.warnings import numbered_warnings
from shardwater.sequences.fasta import Record
from shardwater.statistics.karlin_altschul import Simulated
from shardwater.statistics.simulation import BLOCK_CELLS
from worker.jobs.costs import Work
from worker.jobs.ids import SEARCH as SEARCH_NAME
from worker.jobs.kept_searches import read_request
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import RESULT_JSON, digested
from worker.jobs.results.packing import pack
from worker.jobs.results.parts import SHARD_JSON, pack_part, read_part
from worker.jobs.round_files import RoundFiles
from worker.jobs.rounds import Round
from worker.jobs.score_files import ScoreFiles, score_bytes
from worker.jobs.submission import NewJob
from worker.jobs.targets import SearchTarget, of_database, read_target
from worker.kinds.iterating import go_on
from worker.kinds.kind import Answered, FrontEnd, Kind, PartAnswer, Workplace
from worker.kinds.simulating import simulated_for

if TYPE_CHECKING:
    from worker.queue.part_queue import LeasedPart


def plan(request: SearchRequest, records: Sequence[Record], target: SearchTarget, blocks: int = 0) -> NewJob:
    """A search of database versions; the records are the request's own.

    blocks: of the simulation that its statistics need, that are still to be done.
    """
    residues, simulated = sum(len(record.residues) for record in records), blocks * BLOCK_CELLS
    asked, later = request.parameters, request.iterations - 1
    subjects = max(each.shard_subjects for each in target.databases)
    of_shards = for_shards(asked, len(records)) if later else asked
    work = Work.of(records, of_shards, subjects, target.share)
    return NewJob(
        kind=SEARCH_NAME,
        request=request.model_dump_json(exclude_unset=True),
        content=_content(request, records),
        target=target,
        residues=residues,
        cells=(residues * target.size.residues + hits_cells(asked, residues, target)) * (1 + later) + simulated,
        work=replace(work, simulated=simulated / target.parts),
        rounds=1 + later,
        later=work.times(later) if later else None,
        # One whose scores are kept is done alone: a full disk is no other's fault.
        batch="" if request.keeps_scores else batch_of(request.parameters),
        title=request.title,
        warnings=numbered_warnings(records, request.parameters, without_tree(target.searched)),
        score_bytes=score_bytes(target, len(records)) if request.keeps_scores else 0,
    )


def shuffled_pairs(parameters: Parameters, queries: int, target: SearchTarget) -> int:
    """Shuffles of so many queries and of their subjects that are scored at most, by each shard."""
    return 2 * parameters.shuffles * min(parameters.aligned, target.size.subjects) * queries


def hits_cells(parameters: Parameters, residues: int, target: SearchTarget) -> int:
    """The cells that shuffles and further alignments of hits take, of so many residues of queries, at most.

    A mean subject stands for each hit.
    """
    hits = min(parameters.aligned, target.size.subjects)
    times = 2 * parameters.shuffles + parameters.further
    return times * hits * residues * target.size.residues // max(1, target.size.subjects)


def batch_of(parameters: Parameters) -> str:
    """What searches have in common that are made in one pass."""
    scoring, surveyed = parameters.kind
    common = f"{scoring.matrix} {scoring.gap_open} {scoring.gap_extend} {'surveyed' if surveyed else ''}"
    if not parameters.chooses_taxa:
        return common
    taxa = f"{parameters.taxids} {parameters.negative_taxids}"
    return f"{common} {hashlib.sha256(taxa.encode()).hexdigest()}"


def _content(request: SearchRequest, records: Sequence[Record]) -> tuple[str, ...]:
    """What is asked for: equal for equal work, however it was written."""
    content = [" ".join(request.names), repr(request.parameters), request.title]
    if request.keeps_scores:
        content.append("scores")
    if request.pssm is not None:
        content.append(request.pssm)
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
                keeps[number] = stack.enter_context(files.writing(part.number))
        asked = [
            replace(_asked(place, part, request), keep=keep, whole=of_database(part.target).whole(part.number))
            for part, request, keep in zip(parts, requests, keeps, strict=True)
        ]
        found = yield from find_hits_of(place, asked)
    return [PartAnswer(pack_part(SHARD_JSON, result), result.cells) for result in found]


def _asked(place: Workplace, part: "LeasedPart", request: SearchRequest) -> ShardSearch:
    """What a search asks of the shard."""
    if request.iterations > 1:
        return RoundFiles(place.files, part.search, request.records()).read(part.round).asked(request.parameters)
    return ShardSearch(request.records(), request.parameters, part.target.parts > 1 and part.round > 1)


def find_hits_of(place: Workplace, asked: Sequence[ShardSearch]) -> Steps[list[ShardResult]]:
    """What one shard has for each of these searches, which go in one pass: they have one scoring, and the same taxa."""
    if any(each.parameters.statistics == "simulated" for each in asked):
        simulated = yield from simulated_for(place, asked[0].parameters.scoring)
        asked = [_with(each, simulated) if each.parameters.statistics == "simulated" else each for each in asked]
    part = part_of(place.shard, asked[0].parameters)
    return (yield from find_all_hits(place.engine, part, asked))


def _with(asked: ShardSearch, simulated: Simulated) -> ShardSearch:
    return replace(asked, parameters=replace(asked.parameters, simulated=simulated))


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    """The whole result, merged; its shards search again where they have chosen their best by another line's slope.

    Of a search with iterations, the next round where one follows. Raises UnreadablePart besides for a shard whose
    scores were to be kept and are not.
    """
    request = read_request(answered.request)
    searched, shards = searched_by(answered, request, answered.job)
    try:
        if request.iterations > 1:
            result = go_on(answered, searched, shards, front_end)
            if isinstance(result, Round):
                return result
        else:
            result = assemble(searched, shards)
    except NarrowShortlist:
        return again(answered, front_end)
    if request.keeps_scores:
        target = of_database(read_target(answered.target))
        ScoreFiles(front_end.files, answered.job, target, len(result.results)).complete()
    return pack(RESULT_JSON.dump_json(digested(result, front_end.signer)))


def searched_by(answered: Answered, request: SearchRequest, search: str) -> tuple[Searched, list[ShardResult]]:
    """What was searched for by a search that these parts are of, and what they have found. Raises UnreadablePart."""
    target = of_database(read_target(answered.target))
    searched = Searched(search, target.searched, request.parameters, request.records())
    return searched, [read_part(SHARD_JSON, shard, part) for shard, part in answered.parts.items()]


def again(answered: Answered, front_end: FrontEnd) -> Round:
    """Have the shards search for a line of any slope, once; raises EngineError where that has not helped."""
    if len(answered.parts) == 1 or answered.round > 1:
        raise EngineError("the shards have chosen other hits than the whole database's statistics do")
    return Round.repeated(front_end.store, answered.job)


def cells(part: "LeasedPart", place: Workplace) -> int:
    """Query residues times the shard's, or as much of these as is searched."""
    target = of_database(part.target)
    return round(part.residues * place.shard.residues * target.databases[target.database_of(part.number)].share)


def _request(part: "LeasedPart") -> SearchRequest:
    assert isinstance(part.request, SearchRequest)
    return part.request


SEARCH = Kind(SEARCH_NAME, read_request, cells, run, advance)
