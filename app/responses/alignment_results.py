"""The result of a job of pairs in its formats: written as it is sent, a part of the job in memory at a time."""

import logging
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice, takewhile
from threading import Event
from typing import Any

from fastapi import Response
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import KEEPALIVE_COMMENT

from app.live.job_events import Moment
from app.problems import InvalidParameterError
from app.responses.alignment_json import aligned, parameters_of, shown_certificate
from app.responses.file_names import file_name
from app.responses.held_stream import HeldStream, UnfinishedStream
from app.responses.written import HELD, Begun, sent
from app.service import Service
from shardwater.errors import AlignError, EngineError
from shardwater.formats.chunks import in_chunks
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.names import PairFormat
from shardwater.formats.pairs.sam import SubjectNameTaken, claim_subjects
from shardwater.formats.pairs.writers import WRITERS, UnfitFormat, columns_for
from shardwater.pairs.found import FoundParts
from worker.jobs.pair_requests import PairParameters
from worker.jobs.results.parts import UnreadablePart
from worker.jobs.states import DamagedJob
from worker.kinds.alignment import AlignedLists, KeptPairs, read_note

MEDIA_TYPES: dict[PairFormat, str] = {
    "json": "application/json",
    "ndjson": "application/x-ndjson",
    "tab": "text/tab-separated-values",
    "paf": "text/x-paf",
    "sam": "text/x-sam",
    "srspair": "text/plain",
    "fasta": "text/x-fasta",
}
FORMATS = {media_type: name for name, media_type in MEDIA_TYPES.items()}
"""By the media types that `Accept` may name."""
_ENDINGS: dict[PairFormat, str] = {"tab": "tsv", "srspair": "txt", "fasta": "fa"}
CONTENT: dict[PairFormat, dict[str, Any]] = {
    "json": {"application/json": {"schema": {"$ref": "#/components/schemas/AlignmentResult"}}},
    **{name: {MEDIA_TYPES[name]: {"schema": {"type": "string"}}} for name in MEDIA_TYPES if name != "json"},
}
"""What a reply's content is to the interface's description."""

COLUMN_BYTES = 10
"""What a column of an alignment takes while its letters are written."""
_PAIRS = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")

log = logging.getLogger(__name__)


def layout_of(parameters: PairParameters, name: PairFormat, columns: str | None) -> Layout:
    """How a format is laid out; raises InvalidParameterError where it does not go with the job or its columns."""
    try:
        chosen = columns_for(name, parameters.report, columns, ranked=parameters.best > 1)
    except UnfitFormat as error:
        raise InvalidParameterError("columns" if columns is not None else "format", str(error)) from None
    called = parameters.scores.called(parameters.letters)
    return Layout(called, chosen, parameters.pairing == "all")


@contextmanager
def undamaged(alignment: str) -> Iterator[None]:
    """Where answers of a job are read: raises DamagedJob where they are not what they were."""
    try:
        yield
    except EngineError:
        # Not its message, which names sequences: what a client sends is not for the log.
        raise DamagedJob(f"an alignment of {alignment} contradicts itself") from None
    except UnreadablePart as error:
        raise DamagedJob(f"part {error.shard.decode()} of alignment {alignment} is not what it was") from None


@dataclass(frozen=True, slots=True)
class Wanted:
    """How pairs are to be written: in which format, of a table with which columns; which pairs, by number, if not all;
    and whether as a file, with a name.
    """

    form: PairFormat = "json"
    columns: str | None = None
    pairs: range | None = None
    file: bool = True

    @property
    def which(self) -> str:
        """The numbers of pairs, in a name."""
        if self.pairs is None:
            return ""
        return f"{self.pairs.start + 1}" if len(self.pairs) == 1 else f"{self.pairs.start + 1}-{self.pairs.stop}"


AS_JSON = Wanted(file=False)


async def whole_result(service: Service, alignment: str, wanted: Wanted = AS_JSON) -> Response:
    """The pairs of a job that has succeeded.

    Raises what JobStore.packed_result does, DamagedJob where its first file is not what it was, and
    InvalidParameterError.
    """
    account = service.alignments.caller.account
    return await service.writers.reply(account, lambda: _begun(service, alignment, wanted))


def pairs_of(text: str) -> range:
    """The numbers of pairs, from 0, that a parameter names, from 1: `17` or `1-200`. Raises InvalidParameterError."""
    found = _PAIRS.fullmatch(text)
    if found is None:
        raise InvalidParameterError("pairs", "a number or a range is needed, as 17 or 1-200")
    first, last = int(found[1]), int(found[2] or found[1])
    if not 1 <= first <= last:
        raise InvalidParameterError("pairs", "pairs count from 1, and a range ends where it begins or later")
    return range(first - 1, last)


def _numbers(kept: KeptPairs, lists: AlignedLists, pairs: range | None) -> Sequence[int]:
    """The parts that are read. Raises InvalidParameterError where a job has none of the pairs."""
    if pairs is None:
        return range(len(lists.digests))
    if pairs.start >= lists.certificate.pairs:
        raise InvalidParameterError("pairs", f"the last pair of this job is {lists.certificate.pairs:,}")
    return kept.parts_with(pairs)


def _begun(service: Service, alignment: str, wanted: Wanted) -> Begun:
    lists, parameters = aligned(service.alignments, alignment), parameters_of(service.alignments, alignment)
    name, pairs = wanted.form, wanted.pairs
    layout = layout_of(parameters, name, wanted.columns)
    if name == "json":
        head = {
            "id": alignment,
            "parameters": parameters.model_dump(mode="json"),
            "certificate": shown_certificate(lists).model_dump(mode="json"),
        }
        layout = replace(layout, head=head)
    gone = Event()
    with undamaged(alignment):
        kept = KeptPairs.open(service.files, alignment, parameters)
    numbers = takewhile(lambda _: not gone.is_set(), _numbers(kept, lists, pairs))
    whole = (kept.part(number, lists.digests) for number in numbers)
    parts = whole if pairs is None else (part.only(pairs) for part in whole)
    try:
        with undamaged(alignment):
            # What is wrong with these is answered by a problem; what comes later breaks the connection.
            first = list(islice(parts, 1))
            if name == "sam" and first:
                claim_subjects(first[0].lists.subjects)
            chunks = in_chunks(WRITERS[name].write(FoundParts(chain(first, parts)), layout))
            begun = next(chunks, b"")
    except SubjectNameTaken as error:
        raise InvalidParameterError("format", str(error)) from None
    file = file_name(service.alignments.state(alignment).title, alignment, wanted.which) if wanted.file else ""
    headers = _headers(name, file)
    holds = max(HELD, COLUMN_BYTES * first[0].lists.longest) if first and parameters.report == "alignment" else HELD
    return Begun(headers, chain((begun,), chunks), MEDIA_TYPES[name], holds, gone)


async def lines_as_they_come(service: Service, moment: Moment) -> Response:
    """The pairs of a job that may still be at work, a line each, as soon as those before them are there."""
    alignment = moment.search.id
    parameters = await run_in_threadpool(parameters_of, service.alignments, alignment)
    layout = layout_of(parameters, "ndjson", None)
    lines = _following(service, moment, parameters, layout)
    headers = _headers("ndjson", file_name(moment.search.title, alignment))
    headers |= {"Cache-Control": "private, no-store, no-transform", "X-Accel-Buffering": "no"}
    place = service.streams.one(service.alignments.caller.account)
    return HeldStream(lines, place, MEDIA_TYPES["ndjson"], headers)


async def _following(
    service: Service, moment: Moment, parameters: PairParameters, layout: Layout
) -> AsyncGenerator[bytes, None]:
    """What is sent; raises UnfinishedStream where the job ends otherwise than by success."""
    alignment, digests = moment.search.id, list[str]()
    kept: KeptPairs | None = None
    async for digest in _digests(service, moment):
        if digest is None:
            # An empty line: a proxy that hears nothing would hang up.
            yield b"\n"
            continue
        digests.append(digest)
        if kept is None:
            kept = await run_in_threadpool(KeptPairs.open, service.files, alignment, parameters)
        lines = Begun({}, _lines(kept, digests, layout))
        async with aclosing(sent(lines, service.writers, service.alignments.caller.account)) as chunks:
            async for chunk in chunks:
                yield chunk


def _lines(kept: KeptPairs, digests: Sequence[str], layout: Layout) -> Iterator[bytes]:
    """Those of the last part of which there is a digest."""
    part = kept.part(len(digests) - 1, digests)
    yield from in_chunks(WRITERS["ndjson"].write(FoundParts([part]), layout))


async def _digests(service: Service, moment: Moment) -> AsyncGenerator[str | None, None]:
    """The digest of each part's file, in order, as the parts are answered; None where there has long been no news."""
    number, alignment = 0, moment.search.id
    async with aclosing(service.events.follow(moment)) as events:
        async for event in events:
            if event == KEEPALIVE_COMMENT:
                yield None
            while (digest := await run_in_threadpool(_answered, service, alignment, number)) is not None:
                yield digest
                number += 1
    try:
        lists = await run_in_threadpool(aligned, service.alignments, alignment)
    except AlignError as error:
        log.info("a stream of pairs ends early: %s", error)
        raise UnfinishedStream(str(error)) from None
    for digest in lists.digests[number:]:
        yield digest


def _answered(service: Service, alignment: str, number: int) -> str | None:
    """The digest of a part's file, where it is there and not all of them are."""
    packed = service.alignments.answered_part(alignment, number)
    return None if packed is None else read_note(number, packed).sha256


def _headers(name: PairFormat, file: str) -> dict[str, str]:
    named = {"Content-Disposition": f'attachment; filename="{file}.{_ENDINGS.get(name, name)}"'}
    return {"Cache-Control": "private, no-cache", **(named if file else {})}
