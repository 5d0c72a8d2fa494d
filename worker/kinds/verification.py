"""The verification: a finished search made again, or its hits and a sample scored by numpy, and what differs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from shardwater.database.database import Database, Shard
from shardwater.errors import EngineError, LimitExceeded
from shardwater.search.checking import Sample
from shardwater.search.digests import NoDigest, WrongDigest, check_digest
from shardwater.search.hits import ShardResult
from shardwater.search.merge import NarrowShortlist, SearchResult
from shardwater.search.sampling import choose, score_subjects
from shardwater.search.search import Steps
from shardwater.search.verification import Difference, Differences, compare
from shardwater.sequences.fasta import Record
from shardwater.software import software
from worker.jobs.costs import Work
from worker.jobs.ids import VERIFICATION as VERIFICATION_NAME
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import NoResult, digested, parse_result, plain_json
from worker.jobs.results.packing import UnpackingError, pack, unpack
from worker.jobs.results.parts import pack_part, read_part
from worker.jobs.results.stored import StoredResult
from worker.jobs.states import SearchTarget
from worker.jobs.store import JobStore
from worker.jobs.submission import NewJob
from worker.kinds import search
from worker.kinds.kind import Again, Answered, FrontEnd, Kind, PartAnswer, Workplace

if TYPE_CHECKING:
    from worker.queue.part_queue import LeasedPart

MOST_SUBJECTS = 10_000
"""Of a sample."""
MOST_CELLS = 4_000_000_000
"""Scored by numpy: half a minute of a processor's core."""


class VerificationRequest(BaseModel):
    """What is to be verified: a search by its id; all of it, or its hits and so many other subjects."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    search: str
    sample: int | None = Field(default=None, ge=0, le=MOST_SUBJECTS)


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification has found; all is equal where total is 0 and nothing was changed.

    changed: how its digest shows that the stored result is not what was made, empty where it is. total counts all
    differences, of which the first are told. subjects: those that were scored again for each query, its hits aside.
    software: what has computed anew.
    """

    search: str
    sample: int | None
    cells: int
    subjects: int
    stored_digest: str | None
    changed: str
    total: int
    differences: tuple[Difference, ...]
    software: str

    @property
    def equal(self) -> bool:
        """Whether the result is what its search finds."""
        return not self.total and not self.changed


@dataclass(frozen=True, slots=True)
class _SampledPart:
    """What a shard has of a sample: for each query the scores of its subjects."""

    cells: int
    scores: tuple[Mapping[int, int], ...]


_SAMPLED_PART, _VERIFICATION = TypeAdapter(_SampledPart), TypeAdapter(Verification)
_SHARD_RESULT = TypeAdapter(ShardResult)


def plan(asked: VerificationRequest, request: SearchRequest, target: SearchTarget, stored: StoredResult) -> NewJob:
    """A verification of a search's stored result, which asked for this. Raises LimitExceeded for too large a sample."""
    records = request.records()
    searched = search.plan(request, records, target)
    return NewJob(
        kind=VERIFICATION_NAME,
        request=asked.model_dump_json(),
        content=(asked.search, str(asked.sample)),
        target=target,
        residues=searched.residues,
        work=searched.work if asked.sample is None else _sampling(asked.sample, records, target, stored),
        batch=f"{VERIFICATION_NAME} {'whole ' + searched.batch if asked.sample is None else 'sample'}",
    )


def _sampling(sample: int, records: Sequence[Record], target: SearchTarget, stored: StoredResult) -> Work:
    """On each shard."""
    mean = target.size.residues / max(1, target.size.subjects)
    cells = 0.0
    for record, answer in zip(records, stored.report().results, strict=False):
        cells += len(record.residues) * (sample * mean + sum(hit.length for hit in answer.hits))
    if cells > MOST_CELLS:
        raise LimitExceeded("max_sample_cells", MOST_CELLS, round(cells))
    return Work(searches=1, checked=max(1.0, cells / target.shards))


def run(place: Workplace, parts: Sequence["LeasedPart"]) -> Steps[list[PartAnswer]]:
    """Search a shard again for all of them in one pass, or score what it has of their samples."""
    asked = [_asked(part) for part in parts]
    requests = [place.store.request(each.search)[0] for each in asked]
    if asked[0].sample is None:
        found = yield from search.find_hits_of(place, parts, requests)
        return [PartAnswer(pack_part(_SHARD_RESULT, result), result.cells) for result in found]
    answers = []
    for each, request in zip(asked, requests, strict=True):
        sampled = yield from _score(place, each, request)
        answers.append(PartAnswer(pack_part(_SAMPLED_PART, sampled), sampled.cells))
    return answers


def _score(place: Workplace, asked: VerificationRequest, request: SearchRequest) -> Steps[_SampledPart]:
    """What a shard has of a sample, scored."""
    shard, scores, cells = place.shard, [], 0
    lengths = shard.database.lengths
    _, result = _stored(place.store, asked)
    sample = _sample(asked, request, result, shard.database)
    # Where there are not as many answers as queries, that is what is found.
    for record, answer in zip(sample.queries, result.results, strict=False):
        here = [subject for subject in sample.chosen(answer) if subject in shard.subjects]
        scores.append((yield from score_subjects(record.residues, shard.database, here, request.parameters.scoring)))
        cells += len(record.residues) * int(lengths[here].sum(dtype="int64"))
    return _SampledPart(cells, tuple(scores))


def _sample(asked: VerificationRequest, request: SearchRequest, result: SearchResult, database: Database) -> Sample:
    """The same in all workers and front ends: it follows from the result."""
    subjects = choose(len(database), asked.sample or 0, result.digest or result.search)
    return Sample(request.records(), request.parameters, database, subjects)


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Again:
    """What differs between the stored result and what the parts have found."""
    asked, store = VerificationRequest.model_validate_json(answered.request), front_end.store
    request, _ = store.request(asked.search)
    plain, result = _stored(store, asked)
    if asked.sample is not None:
        database = front_end.catalog.open(result.database.name, result.database.version)
        found = _sampled(answered, result, _sample(asked, request, result, database))
    else:
        try:
            computed = search.merged(answered, request, asked.search)
        except NarrowShortlist:
            return search.again(answered)
        found = _Found(
            computed.certificate.cells, computed.certificate.subjects, compare(plain, plain_json(digested(computed)))
        )
    return pack(
        _VERIFICATION.dump_json(
            Verification(
                search=asked.search,
                sample=asked.sample,
                cells=found.cells,
                subjects=found.subjects,
                stored_digest=plain.get("digest"),
                changed=_changed(plain),
                total=found.differences.total,
                differences=tuple(each.shortened() for each in found.differences.first),
                software=software().version,
            )
        )
    )


@dataclass(frozen=True, slots=True)
class _Found:
    cells: int
    subjects: int
    differences: Differences


def _sampled(answered: Answered, result: SearchResult, sample: Sample) -> _Found:
    parts = [read_part(_SAMPLED_PART, shard, part) for shard, part in answered.parts.items()]
    scores: list[dict[int, int]] = [{} for _ in sample.queries]
    for part in parts:
        for known, scored in zip(scores, part.scores, strict=False):
            known.update(scored)
    return _Found(sum(part.cells for part in parts), len(sample.subjects), sample.differences(result, scores))


def _stored(store: JobStore, asked: VerificationRequest) -> tuple[dict[str, Any], SearchResult]:
    """The result that is verified, as its JSON is and as what that says."""
    try:
        return parse_result(store.result_json(asked.search))
    except (NoResult, UnpackingError):
        raise EngineError(f"what is kept of search {asked.search} is no result") from None


def _changed(plain: Mapping[str, object]) -> str:
    try:
        check_digest(plain)
    except WrongDigest as error:
        return str(error)
    except NoDigest:
        # An earlier version has made it.
        return ""
    return ""


def read_verification(packed: bytes) -> Verification:
    """What a front end has kept of a verification that has succeeded."""
    return _VERIFICATION.validate_json(unpack(packed))


def cells(part: "LeasedPart", shard: Shard) -> int:
    """Those of the whole search, or of what a shard has of a sample."""
    return search.cells(part, shard) if _asked(part).sample is None else max(1, round(part.work.checked))


def _asked(part: "LeasedPart") -> VerificationRequest:
    assert isinstance(part.request, VerificationRequest)
    return part.request


VERIFICATION = Kind(VERIFICATION_NAME, VerificationRequest.model_validate_json, cells, run, advance)
