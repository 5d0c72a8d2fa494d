"""A chain of an MSA: searched for in rounds, then its rows are kept in its job's folder (worker/kinds/msa.py)."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from shardwater.msa.built import built
from shardwater.profiles.iterated import Iterated, ended
from shardwater.search.databases import firsts_of
from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched
from shardwater.search.search import ShardSearch, trace_all_hits
from shardwater.search.step import Steps
from shardwater.search.traced import TracedShard
from worker.jobs.chain_requests import ChainRequest
from worker.jobs.costs import Work
from worker.jobs.ids import CHAIN as CHAIN_NAME
from worker.jobs.msa_files import MsaFiles, Stage
from worker.jobs.results.packing import pack, unpack
from worker.jobs.results.traced_parts import pack_traced, read_traced
from worker.jobs.round_files import RoundFiles
from worker.jobs.rounds import Round
from worker.jobs.submission import NewJob
from worker.jobs.targets import SearchTarget, of_database, read_target
from worker.kinds.kind import Answered, FrontEnd, Kind, PartAnswer, Workplace
from worker.kinds.search import batch_of

if TYPE_CHECKING:
    from worker.queue.part_queue import LeasedPart


USUAL_HITS = 500
"""So many hits a chain's work is estimated by: as many as may be, few have."""


@dataclass(frozen=True, slots=True)
class ChainResult:
    """A chain whose MSA is there: what each stage has given, in the order of its files."""

    stages: tuple[Stage, ...]


_RESULT = TypeAdapter(ChainResult)


def plan(asked: ChainRequest, target: SearchTarget) -> NewJob:
    """The search for a chain in database versions."""
    residues, few = len(asked.residues), min(asked.max_sequences, USUAL_HITS)
    usual = replace(asked.parameters, max_target_seqs=few, alignments=few)
    # Rows are written where they are merged.
    work = replace(Work.of([asked.query], usual, max(each.shard_subjects for each in target.databases)), rows=0.0)
    rounds = asked.iterations + (1 if asked.then else 0)
    cells = residues * (target.size.residues * asked.iterations + (asked.then.size.residues if asked.then else 0))
    return NewJob(
        kind=CHAIN_NAME,
        request=asked.model_dump_json(),
        content=(asked.model_dump_json(),),
        target=target,
        residues=residues,
        cells=cells,
        work=work,
        batch=f"{CHAIN_NAME} {batch_of(asked.parameters)}",
        rounds=rounds,
        later=work.times(rounds - 1) if rounds > 1 else None,
    )


def run(place: Workplace, parts: Sequence["LeasedPart"]) -> Steps[Future[list[PartAnswer]]]:
    """Search a shard for all of them in one pass; whoever merges writes their hits out."""
    asked = [_asked_of(place, part) for part in parts]
    return (yield from trace_all_hits(place.engine, place.shard, asked, _answer))


def _answer(traced: TracedShard) -> PartAnswer:
    return PartAnswer(pack_traced(traced), traced.result.cells)


def _asked_of(place: Workplace, part: "LeasedPart") -> ShardSearch:
    asked = _request(part)
    made = RoundFiles(place.files, part.search, [asked.query]).read(part.round).asked(asked.parameters)
    return replace(made, whole=of_database(part.target).whole(part.number))


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    """The next round, or the rows; then, where there are more databases, a round on them. Raises what assemble does."""
    asked = ChainRequest.model_validate_json(answered.request)
    files = RoundFiles(front_end.files, answered.job, [asked.query])
    now, target = files.read(answered.round), of_database(read_target(answered.target))
    searched = Searched(answered.job, target.searched, asked.parameters, now.records)
    shards = [
        _written(read_traced(shard, part), target, now, asked, front_end) for shard, part in answered.parts.items()
    ]
    after, result = ended(now, searched, shards)
    if result is None:
        files.keep(answered.round + 1, after)
        return Round.repeated(front_end.store, answered.job)
    msas = MsaFiles(front_end.files, answered.job)
    made = built(asked.query, result, diverse=asked.filter == "diverse")
    msas.keep(now.stage, made.msa, Stage(made.found, len(made.msa), made.rounds))
    if asked.then is not None and now.stage == 0:
        files.keep(answered.round + 1, after.in_next_stage(result, asked.parameters))
        return Round(asked.then, plan(asked, asked.then).work, "scoring")
    return pack(_RESULT.dump_json(ChainResult(tuple(msas.stage(number) for number in range(now.stage + 1)))))


def _written(
    traced: TracedShard, target: SearchTarget, now: Iterated, asked: ChainRequest, front_end: FrontEnd
) -> ShardResult:
    """A shard's hits, by the database that it is of; raises DatabaseError where that is not here any more."""
    place = traced.result.database
    database = front_end.open(target.databases[place].used)
    return traced.written(database, firsts_of(target.searched)[place], now.records, asked.parameters)


def read_chain(packed: bytes) -> ChainResult:
    """What `advance` made of a chain that has succeeded."""
    return _RESULT.validate_json(unpack(packed))


def cells(part: "LeasedPart", place: Workplace) -> int:
    """Query residues times the shard's."""
    return part.residues * place.shard.residues


def _request(part: "LeasedPart") -> ChainRequest:
    assert isinstance(part.request, ChainRequest)
    return part.request


CHAIN = Kind(CHAIN_NAME, ChainRequest.model_validate_json, cells, run, advance, is_slow=True)
