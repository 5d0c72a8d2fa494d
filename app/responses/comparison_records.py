"""Names and lengths of the records of two genomes, written as they are sent: there may be a million contigs."""

import json
from collections.abc import Iterator, Mapping
from threading import Event
from typing import Any

import numpy as np
from fastapi.responses import StreamingResponse

from app.responses.written import sent
from app.service import Service
from shardwater.formats.chunks import in_chunks
from shardwater.sequences.stored import DamagedSequences, StoredSequences
from worker.jobs.genome_files import QUERY, SUBJECT, kept_sequences
from worker.jobs.states import DamagedJob

CONTENT: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/ComparisonRecords"}}}
"""What the reply is to the interface's description."""
_AT_ONCE = 256


async def records_reply(service: Service, comparison: str) -> StreamingResponse:
    """The records of both; raises SearchNotFound, SearchExpired, and DamagedJob where the genomes have changed."""
    account = service.comparisons.caller.account
    sides = await service.writers.run(account, lambda: _opened(service, comparison))
    pieces = sent(in_chunks(_written(sides)), Event(), service.writers, account)
    return StreamingResponse(pieces, media_type="application/json", headers={"Cache-Control": "private, no-cache"})


def _opened(service: Service, comparison: str) -> dict[str, StoredSequences]:
    service.comparisons.state(comparison)
    folder = service.files.folder(comparison)
    try:
        sides = {side: kept_sequences(folder, side) for side in (QUERY, SUBJECT)}
    except (OSError, DamagedSequences):
        raise DamagedJob(f"what {comparison} has kept is not what it was: the genomes") from None
    return sides


def _written(sides: Mapping[str, StoredSequences]) -> Iterator[str]:
    """A ComparisonRecords as JSON."""
    for number, (side, stored) in enumerate(sides.items()):
        yield f'{"," if number else "{"}"{side}":['
        for first in range(0, len(stored), _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, len(stored)))
            known = zip(stored.names(numbers), np.diff(stored.ends(numbers)).tolist(), strict=True)
            records = ",".join(json.dumps({"name": name, "length": length}) for name, length in known)
            yield f"{',' if first else ''}{records}"
        yield "]"
    yield "}"
