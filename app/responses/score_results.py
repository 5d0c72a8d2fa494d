"""All scores of a search, written as they are sent."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from fastapi import Response

from app.problems import InvalidParameterError, NotHereError
from app.responses.file_names import file_name
from app.responses.http_cache import result_headers
from app.responses.query_parts import part_of
from app.responses.result_formats import BINARY, TEXT, databases_of
from app.responses.written import Begun
from app.service import Service
from shardwater.formats.chunks import in_chunks
from shardwater.formats.scores import (
    EVERYONE,
    AllScores,
    ScoreFormat,
    Threshold,
    UnfitThreshold,
    write_parquet,
    write_raw,
    write_tab,
)
from shardwater.search.scores import DamagedScores
from worker.jobs.score_files import ScoreFiles
from worker.jobs.states import DamagedJob

MEDIA_TYPES: dict[ScoreFormat, str] = {
    "tab": "text/tab-separated-values",
    "parquet": "application/vnd.apache.parquet",
    "raw": "application/octet-stream",
}
FORMATS = {media_type: name for name, media_type in MEDIA_TYPES.items()}
"""By the media types that `Accept` may name."""
_ENDINGS: dict[ScoreFormat, str] = {"tab": "scores.tsv", "parquet": "scores.parquet", "raw": "scores.int32"}
CONTENT: dict[str, Any] = {
    media_type: {"schema": TEXT if name == "tab" else BINARY} for name, media_type in reversed(MEDIA_TYPES.items())
}
"""What a reply's content is to the interface's description: bytes first, which a generated client takes all for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How scores are to be written: of which query, from 1, or of all, and which of them."""

    form: ScoreFormat
    query: int | None = None
    threshold: Threshold = EVERYONE

    def headers(self, service: Service, search: str) -> dict[str, str]:
        """Those of the reply; raises what JobStore.time_left does, NotHereError where no scores are kept."""
        if not service.store.request(search)[0].keeps_scores:
            raise NotHereError("the search has kept scores of its hits alone: send it again with scores=all")
        limits = f"{self.query or 'all'}.{self.threshold.min_score}.{self.threshold.max_evalue}"
        named = file_name(service.store.state(search).title, search, str(self.query or ""))
        return result_headers(search, f"scores.{self.form}.{limits}", service.store.time_left(search)) | {
            "Content-Disposition": f'attachment; filename="{named}.{_ENDINGS[self.form]}"'
        }


async def all_scores(service: Service, search: str, wanted: Wanted) -> Response:
    """The scores of a search that has succeeded and keeps them.

    Raises what JobStore.stored does, NotHereError where none are kept, DamagedJob where they are not what they were,
    InvalidParameterError and ParquetMissing.
    """
    account = service.store.caller.account
    return await service.writers.reply(account, lambda: _begun(service, search, wanted))


def _begun(service: Service, search: str, wanted: Wanted) -> Begun:
    headers = wanted.headers(service, search)
    chunks = in_chunks(_written(service, _scores(service, search, wanted.query), wanted))
    try:
        # What is wrong with these is answered by a problem; what comes later breaks the connection.
        first = next(chunks, b"")
    except DamagedScores as error:
        raise DamagedJob(f"what search {search} has kept is not what it was: {error}") from None
    return Begun(headers, chain((first,), chunks), MEDIA_TYPES[wanted.form])


def _scores(service: Service, search: str, query: int | None) -> AllScores:
    stored = service.store.stored(search)
    _, target = service.store.request(search)
    report = stored.report() if query is None else part_of(stored, query)
    kept = ScoreFiles(service.files, search, target, len(stored)).kept
    return AllScores(report, kept, 0 if query is None else query - 1)


def _written(service: Service, scores: AllScores, wanted: Wanted) -> Iterator[bytes] | Iterator[str]:
    try:
        if wanted.form == "raw":
            return write_raw(scores, wanted.threshold)
        write = write_tab if wanted.form == "tab" else write_parquet
        return write(scores, databases_of(scores.report, service.readable), wanted.threshold)
    except UnfitThreshold as error:
        raise InvalidParameterError(error.threshold, str(error)) from None
