"""The verification: a finished search made again, or its hits and a sample scored by numpy, and what differs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate, islice, repeat
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from shardwater.database.joined import Joined, Part
from shardwater.errors import AlignError, EngineError
from shardwater.profiles.iterated import Iterated, ended
from shardwater.search.among import subjects_at
from shardwater.search.checking import Sample
from shardwater.search.digests import NoDigest, WrongDigest, check_digest
from shardwater.search.merge import NarrowShortlist, QueryResult, SearchResult, assemble
from shardwater.search.sampling import choose, score_subjects
from shardwater.search.search import ShardSearch
from shardwater.search.step import Steps
from shardwater.search.verification import Difference, Differences, compare
from shardwater.sequences.fasta import Record
from shardwater.software import software
from worker.jobs.costs import Work
from worker.jobs.files import JobFiles
from worker.jobs.ids import VERIFICATION as VERIFICATION_NAME
from worker.jobs.requests import SearchRequest
from worker.jobs.results.digested import NoResult, digested, parse_result, plain_json
from worker.jobs.results.packing import UnpackingError, pack, unpack
from worker.jobs.results.parts import SHARD_JSON, pack_part, read_part
from worker.jobs.results.stored import DamagedResult, StoredResult
from worker.jobs.round_files import RoundFiles
from worker.jobs.rounds import Round
from worker.jobs.store import JobStore
from worker.jobs.submission import NewJob
from worker.jobs.targets import SearchTarget, of_database, read_target
from worker.kinds import search
from worker.kinds.kind import Answered, FrontEnd, Kind, PartAnswer, Workplace

if TYPE_CHECKING:
    from worker.jobs.results.signing import Signer
    from worker.queue.part_queue import LeasedPart

MOST_SUBJECTS = 10_000
"""Of a sample."""
MOST_CELLS = 4_000_000_000
"""Scored by numpy: half a minute of a processor's core."""
UNREADABLE = "what is kept of it is no result"


class SampleTooLarge(AlignError):
    """A sample that would keep a worker for longer than a sample may."""

    def __init__(self, sample: int, cells: float) -> None:
        super().__init__(
            f"with its hits a sample of {sample:,} takes {cells:,.0f} cells, more than {MOST_CELLS:,}: verify all of "
            "it, or on the command line with --data"
        )


class _Unreadable(Exception):
    """What is kept of a search is no result: not the JSON of one, or not all of it."""


class VerificationRequest(BaseModel):
    """What is to be verified: a search by its id; all of it, or its hits and so many other subjects."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    search: str
    sample: int | None = Field(default=None, ge=0, le=MOST_SUBJECTS)


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification has found; all is equal where total is 0 and nothing was changed.

    changed: how the stored result itself, its digest or its signature shows that it is not what was made, empty where
    none does. total counts all differences, of which the first are told. subjects: those that were scored again for
    each query, its hits aside.
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


def plan(
    asked: VerificationRequest, request: SearchRequest, target: SearchTarget, stored: StoredResult, blocks: int = 0
) -> NewJob:
    """A verification of a search's stored result, which asked for this. Raises SampleTooLarge.

    blocks: as search.plan has them, where the parameters of the search are no longer kept.
    """
    records = request.records()
    searched = search.plan(request, records, target, blocks if asked.sample is None else 0)
    batch = f"whole {search.batch_of(request.parameters)}" if asked.sample is None else "sample"
    return NewJob(
        kind=VERIFICATION_NAME,
        request=asked.model_dump_json(),
        content=(asked.search, str(asked.sample)),
        target=target,
        residues=searched.residues,
        cells=searched.cells,
        work=searched.work if asked.sample is None else _sampling(asked.sample, records, target, stored),
        batch=f"{VERIFICATION_NAME} {batch}",
    )


def _sampling(sample: int, records: Sequence[Record], target: SearchTarget, stored: StoredResult) -> Work:
    """On each shard."""
    size = target.size
    drawn = min(sample, size.subjects) * size.residues / max(1, size.subjects)
    cells = 0.0
    for record, answer in zip(records, _answers(stored, len(records)), strict=True):
        # Whoever edits a result may write any length.
        hits = 0 if answer is None else sum(min(max(0, hit.length), size.residues) for hit in answer.hits)
        cells += len(record.residues) * (drawn + hits)
    if cells > MOST_CELLS:
        raise SampleTooLarge(sample, cells)
    return Work(searches=1, checked=max(1.0, cells / target.parts))


def _answers(stored: StoredResult, queries: int) -> Iterator[QueryResult | None]:
    """The answers to so many queries; None for those that cannot be read or are not there."""
    with suppress(DamagedResult):
        for answer in islice(stored.report().results, queries):
            yield answer
            queries -= 1
    yield from repeat(None, queries)


def run(place: Workplace, parts: Sequence["LeasedPart"]) -> Steps[list[PartAnswer]]:
    """Search a shard again for all of them in one pass, or score what it has of their samples."""
    asked = [_asked(part) for part in parts]
    requests = [place.store.request(each.search)[0] for each in asked]
    if asked[0].sample is None:
        each_part = zip(parts, asked, requests, strict=True)
        searches = [_again(place, part, each, request) for part, each, request in each_part]
        found = yield from search.find_hits_of(place, searches)
        return [PartAnswer(pack_part(SHARD_JSON, result), result.cells) for result in found]
    answers = []
    for part, each, request in zip(parts, asked, requests, strict=True):
        sampled = yield from _score(place, each, request, of_database(part.target), part.number)
        answers.append(PartAnswer(pack_part(_SAMPLED_PART, sampled), sampled.cells))
    return answers


def _again(place: Workplace, part: "LeasedPart", asked: VerificationRequest, request: SearchRequest) -> ShardSearch:
    """A search as it is made again: its last round, if it had several."""
    made = ShardSearch(request.records(), request.parameters)
    if request.iterations > 1:
        made = _last(place.files, asked, request).asked(request.parameters)
    any_line, whole = part.target.parts > 1 and part.round > 1, of_database(part.target).whole(part.number)
    return replace(made, any_line=any_line, whole=whole)


def _last(files: JobFiles, asked: VerificationRequest, request: SearchRequest) -> Iterated:
    return RoundFiles(files, asked.search, request.records()).last()


def _score(
    place: Workplace, asked: VerificationRequest, request: SearchRequest, target: SearchTarget, part: int
) -> Steps[_SampledPart]:
    """What a shard has of a sample, scored: nothing, where there is no result."""
    shard, scores, cells = place.shard, [], 0
    lengths, whole = shard.database.lengths, target.whole(part)
    try:
        _, result = _stored(place.store, asked)
    except _Unreadable:
        return _SampledPart(0, ())
    own = Part(shard.database, target.searched[whole.database].name, whole.first)
    sample = _sample(place.files, asked, request, result, Joined((own,)), target)
    # Where there are not as many answers as queries, that is what is found.
    for record, answer in zip(sample.queries, result.results, strict=False):
        here = [chosen - own.first for chosen in sample.chosen(answer) if chosen - own.first in shard.subjects]
        found = yield from score_subjects(record, shard.database, here, request.parameters.scoring)
        scores.append({own.first + subject: score for subject, score in found.items()})
        cells += len(record.residues) * int(lengths[here].sum(dtype="int64"))
    return _SampledPart(cells, tuple(scores))


def _sample(
    files: JobFiles,
    asked: VerificationRequest,
    request: SearchRequest,
    result: SearchResult,
    databases: Joined,
    target: SearchTarget,
) -> Sample:
    """The same in all workers and front ends: it follows from the result, and from the profiles of its last round.

    databases: those that are open here: all, or one.
    """
    places = choose(target.size.subjects, asked.sample or 0, result.digest or result.search)
    before = accumulate((each.size.subjects for each in target.searched), initial=0)
    first = [each.name for each in target.searched].index(databases.parts[0].name)
    subjects = subjects_at(databases, [*before][first:], request.parameters, places)
    return Sample(_last(files, asked, request).records, request.parameters, target.searched, databases, subjects)


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    """What differs between the stored result and what the parts have found."""
    asked = VerificationRequest.model_validate_json(answered.request)
    request, _ = front_end.store.request(asked.search)
    found, digest, changed = _Found(0, 0, Differences((), 0)), None, UNREADABLE
    # A result with more lists in lists than are written anew is none either.
    with suppress(_Unreadable, RecursionError):
        plain, result = _stored(front_end.store, asked)
        try:
            found = _found(answered, front_end, asked, request, plain, result)
        except NarrowShortlist:
            return search.again(answered, front_end)
        digest, changed = result.digest, changed_since(plain, result, front_end.signer)
    return pack(
        _VERIFICATION.dump_json(
            Verification(
                search=asked.search,
                sample=asked.sample,
                cells=found.cells,
                subjects=found.subjects,
                stored_digest=digest,
                changed=changed,
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


def _found(
    answered: Answered,
    front_end: FrontEnd,
    asked: VerificationRequest,
    request: SearchRequest,
    plain: dict[str, Any],
    result: SearchResult,
) -> _Found:
    """What differs from a stored result; raises NarrowShortlist as a search's merge does."""
    if asked.sample is None:
        computed = _computed(answered, front_end, asked, request)
        differences = compare(plain, plain_json(digested(computed)))
        return _Found(computed.certificate.cells, computed.certificate.subjects, differences)
    # Not by what the stored result says: that is in question.
    target = of_database(read_target(answered.target))
    opened = [front_end.catalog.open(each.name, each.version) for each in target.searched]
    databases = Joined.of(opened, [each.name for each in target.searched])
    sample = _sample(front_end.files, asked, request, result, databases, target)
    parts = [read_part(_SAMPLED_PART, shard, part) for shard, part in answered.parts.items()]
    scores = _scores(sample, result, parts)
    return _Found(sum(part.cells for part in parts), len(sample.subjects), sample.differences(result, scores, plain))


def _computed(
    answered: Answered, front_end: FrontEnd, asked: VerificationRequest, request: SearchRequest
) -> SearchResult:
    searched, shards = search.searched_by(answered, request, asked.search)
    if request.iterations == 1:
        return assemble(searched, shards)
    _, result = ended(_last(front_end.files, asked, request), searched, shards)
    if result is None:
        raise EngineError("the last round of the search would not be the last one")
    return result


def _scores(sample: Sample, result: SearchResult, parts: Sequence[_SampledPart]) -> list[dict[int, int]]:
    """For each query the scores that the shards have made; raises EngineError where one is missing."""
    scores: list[dict[int, int]] = [{} for _ in sample.queries]
    for part in parts:
        for known, scored in zip(scores, part.scores, strict=False):
            known.update(scored)
    for known, answer in zip(scores, result.results, strict=False):
        if not known.keys() >= set(sample.chosen(answer)):
            raise EngineError("the shards have not scored all of the sample")
    return scores


def _stored(store: JobStore, asked: VerificationRequest) -> tuple[dict[str, Any], SearchResult]:
    """The result that is verified, as its JSON is and as what that says. Raises _Unreadable."""
    try:
        return parse_result(store.result_json(asked.search))
    except (NoResult, UnpackingError, EOFError):
        raise _Unreadable from None


def changed_since(plain: Mapping[str, object], result: SearchResult, signer: "Signer | None") -> str:
    """How a result's digest or its signature shows that it is not what was made."""
    try:
        check_digest(plain)
    except WrongDigest as error:
        return str(error)
    except NoDigest:
        # An earlier version has made it.
        pass
    if signer is None or result.signature is None:
        return ""
    if result.signature.key != signer.name:
        return f"it is signed with another key, {result.signature.key!r}; the service's is {signer.name}"
    if result.digest is None or result.signature != signer.sign(result.digest):
        return "its signature is not one of its digest"
    return ""


def read_verification(packed: bytes) -> Verification:
    """What a front end has kept of a verification that has succeeded."""
    return _VERIFICATION.validate_json(unpack(packed))


def cells(part: "LeasedPart", place: Workplace) -> int:
    """Those of the whole search, or of what a shard has of a sample."""
    return search.cells(part, place) if _asked(part).sample is None else max(1, round(part.work.checked))


def _asked(part: "LeasedPart") -> VerificationRequest:
    assert isinstance(part.request, VerificationRequest)
    return part.request


VERIFICATION = Kind(VERIFICATION_NAME, VerificationRequest.model_validate_json, cells, run, advance)
