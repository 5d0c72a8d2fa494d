"""A chain of an MSA: searched for in rounds, then its rows are kept in its job's folder (worker/kinds/msa.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from shardwater.database.database import Database
from shardwater.errors import EngineError
from shardwater.msa.built import built
from shardwater.profiles.iterated import ended, for_shards
from shardwater.search.clusters import Chosen, MemberHits, TracedMembers, trace_members
from shardwater.search.hits import ShardResult
from shardwater.search.merge import Searched, SearchResult
from shardwater.search.repeats import KnownRepeats
from shardwater.search.search import ShardSearch, trace_all_hits
from shardwater.search.step import Step, Steps
from shardwater.search.traced import write_shards
from worker.jobs.chain_requests import ChainRequest
from worker.jobs.costs import Work
from worker.jobs.ids import CHAIN as CHAIN_NAME
from worker.jobs.msa_files import MsaFiles, MsaRound, Stage
from worker.jobs.results.packing import pack, unpack
from worker.jobs.results.traced_parts import pack_members, pack_traced, read_members, read_traced
from worker.jobs.round_files import RoundFiles
from worker.jobs.rounds import Round
from worker.jobs.submission import NewJob
from worker.jobs.targets import SearchTarget, of_database, read_target
from worker.kinds.kind import Answered, FrontEnd, Kind, PartAnswer, Workplace
from worker.kinds.search import batch_of

if TYPE_CHECKING:
    from worker.queue.part_queue import LeasedPart


ARRAYS = 8
"""A byte of packed arrays takes so many times as much where it is merged as one of packed JSON."""
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
    clustered = [each for each in (target, asked.then) if each and each.members.subjects]
    later = [work.times(rounds - 1)]
    later += [_members_work(asked, each, min(few, each.members.subjects)) for each in clustered]
    return NewJob(
        kind=CHAIN_NAME,
        request=asked.model_dump_json(),
        content=(asked.model_dump_json(),),
        target=target,
        residues=residues,
        cells=cells + sum(_member_cells(asked, each) for each in clustered),
        work=work,
        batch=f"{CHAIN_NAME} {batch_of(asked.parameters)}",
        rounds=rounds + len(clustered),
        later=Work.sum(later) if rounds + len(clustered) > 1 else None,
    )


def _member_cells(asked: ChainRequest, target: SearchTarget) -> int:
    """Those of as many members as may be aligned, of mean length."""
    members = target.members
    return len(asked.residues) * min(asked.max_sequences, members.subjects) * members.residues // members.subjects


def _chosen_cells(asked: ChainRequest, chosen: Chosen, target: SearchTarget, front_end: FrontEnd) -> int:
    """Those of the members that are aligned: they may be longer than most, which were charged for."""
    databases = [front_end.open(each.used) for each in target.databases]
    listed = (database.listed(clusters) for database, clusters in zip(databases, chosen.clusters, strict=True))
    return len(asked.residues) * sum(int(each.lengths.sum()) for each in listed)


def _members_work(asked: ChainRequest, target: SearchTarget, members: int) -> Work:
    """Of a part, where so many members are aligned."""
    each = members / target.parts
    return Work(searches=1, aligned=each, aligned_residues=each * len(asked.residues))


def run(place: Workplace, parts: Sequence["LeasedPart"]) -> Steps[list[PartAnswer]]:
    """Search a shard for all of them in one pass, but those that align members; who merges writes hits out."""
    answers: dict[str, PartAnswer] = {}
    for part in filter(_aligns_members, parts):
        answers[part.search] = yield from _align_members(place, part)
    searched = [part for part in parts if part.search not in answers]
    if searched:
        found = yield from trace_all_hits(place.engine, place.shard, [_asked_of(place, part) for part in searched])
        for part, traced in zip(searched, found, strict=True):
            answers[part.search] = PartAnswer(pack_traced(traced), traced.result.cells)
    return [answers[part.search] for part in parts]


def _aligns_members(part: "LeasedPart") -> bool:
    """Whether a part is of a round that searches for nothing."""
    # By what was leased: should the round end meanwhile, the answer is not taken for one of the next.
    return not part.work.queries


def _align_members(place: Workplace, part: "LeasedPart") -> Steps[PartAnswer]:
    """Align the members of those clusters whose representatives are in the shard."""
    for _ in place.check_members():
        yield Step()
    asked, shard = _request(part), place.shard
    files = RoundFiles(place.files, part.search, [asked.query])
    now, chosen = files.read_chosen(part.round)
    if chosen is None:
        raise EngineError(f"round {part.round} of the search aligns no members")
    [record] = now.records
    clusters = chosen.clusters[of_database(part.target).database_of(part.number)]
    members = shard.database.listed(clusters.of_shard(shard.index, shard.count))
    traced = yield from trace_members(place.engine, members, record, asked.parameters.scoring)
    return PartAnswer(pack_members(traced), len(record.residues) * int(members.lengths.sum()))


def _asked_of(place: Workplace, part: "LeasedPart") -> ShardSearch:
    asked = _request(part)
    made = RoundFiles(place.files, part.search, [asked.query]).read(part.round).asked(asked.parameters)
    return replace(made, whole=of_database(part.target).whole(part.number))


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    """The next round, or the rows; then, where there are more databases, a round on them. Raises what assemble does.

    Where databases have clusters, one more round aligns the hits' members before there are rows.
    """
    try:
        front_end.files.note_account(front_end.store.redis, answered.job)
        return _advance(answered, front_end)
    finally:
        front_end.files.remove_if_gone(front_end.store.redis, answered.job)


def _advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    asked = ChainRequest.model_validate_json(answered.request)
    files = RoundFiles(front_end.files, answered.job, [asked.query])
    target = of_database(read_target(answered.target))
    now, aligned = files.read_chosen(answered.round)
    searched = Searched(answered.job, target.searched, asked.parameters, now.records)
    parts = answered.parts if aligned is None else files.found(answered.round)
    repeats = files.repeats(answered.round)
    # Writing the hits out adds to what is known of repeats.
    after, result = ended(now, searched, _written(parts, target, searched, front_end, repeats))
    if result is None:
        files.keep(answered.round + 1, after)
        files.keep_repeats(answered.round + 1, repeats)
        return Round.repeated(front_end.store, answered.job)
    members = _members(answered, front_end, searched, result, aligned)
    if isinstance(members, Chosen):
        files.keep_chosen(answered.round + 1, now, members, answered.parts)
        files.keep_repeats(answered.round + 1, repeats)
        more = max(0, _chosen_cells(asked, members, target, front_end) - _member_cells(asked, target))
        return Round(target, _members_work(asked, target, members.members), "aligning", more)
    msas = MsaFiles(front_end.files, answered.job)
    made = built(asked.query, result, members, diverse=asked.filter == "diverse")
    warnings = result.results[0].warnings
    rounds = tuple(map(MsaRound.of, made.rounds))
    msas.keep(now.stage, made.msa, Stage(made.found, len(made.msa), rounds, made.members, warnings))
    if asked.then is not None and now.stage == 0:
        files.keep(answered.round + 1, after.in_next_stage(result, asked.parameters))
        files.keep_repeats(answered.round + 1, repeats)
        return Round(asked.then, plan(asked, asked.then).work, "scoring")
    return pack(_RESULT.dump_json(ChainResult(tuple(msas.stage(number) for number in range(now.stage + 1)))))


def _members(
    answered: Answered, front_end: FrontEnd, searched: Searched, result: SearchResult, aligned: Chosen | None
) -> MemberHits | Chosen | None:
    """Members of the hits' clusters, or those that are to be aligned; None in databases without clusters.

    aligned: those that the round which is over has aligned, where it has done so.
    """
    target = of_database(read_target(answered.target))
    if not target.members.subjects:
        return None
    databases = [front_end.open(each.used) for each in target.databases]
    if aligned is not None:
        traced = _traced_members(aligned, target, databases, answered.parts)
        return MemberHits.of(searched, result, traced, aligned.left_out)
    chosen = Chosen.of(databases, result.results[0].hits, searched.parameters.max_target_seqs)
    if chosen.members:
        return chosen
    return MemberHits.of(searched, result, [], chosen.left_out)


def _traced_members(
    chosen: Chosen, target: SearchTarget, databases: Sequence[Database], parts: Mapping[bytes, bytes]
) -> list[TracedMembers]:
    """What each part has found. Raises UnreadablePart."""
    shards = [(place, shard) for place, each in enumerate(target.databases) for shard in range(each.shards)]
    found = []
    for number, part in parts.items():
        place, shard = shards[int(number)]
        clusters = chosen.clusters[place].of_shard(shard, target.databases[place].shards)
        found.append(TracedMembers(place, databases[place].listed(clusters), read_members(number, part)))
    return found


def _written(
    parts: Mapping[bytes, bytes], target: SearchTarget, searched: Searched, front_end: FrontEnd, repeats: KnownRepeats
) -> list[ShardResult]:
    """The shards' hits, as far as any may be reported or included; raises what assemble does."""
    shards = [read_traced(shard, part) for shard, part in parts.items()]
    places = {each.result.database for each in shards}
    databases = {place: front_end.open(target.databases[place].used) for place in places}
    parameters = for_shards(searched.parameters, len(searched.queries))
    return write_shards(shards, databases, searched, parameters, repeats)


def size(answered: Answered, front_end: FrontEnd) -> int:
    """The bytes of the parts, and of those of the round before where members were aligned; arrays unpack to more."""
    return ARRAYS * (answered.size + front_end.files.found_size(answered.job, answered.round))


def read_chain(packed: bytes) -> ChainResult:
    """What `advance` made of a chain that has succeeded."""
    return _RESULT.validate_json(unpack(packed))


def cells(part: "LeasedPart", place: Workplace) -> int:
    """Query residues times the shard's; none where nothing is searched."""
    return 0 if _aligns_members(part) else part.residues * place.shard.residues


def _request(part: "LeasedPart") -> ChainRequest:
    assert isinstance(part.request, ChainRequest)
    return part.request


CHAIN = Kind(
    CHAIN_NAME, ChainRequest.model_validate_json, cells, run, advance, is_slow=True, size=size, writes_hits=True
)
