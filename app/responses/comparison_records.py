"""Names and lengths of the records of two genomes, written as they are sent: there may be a million contigs."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from fastapi import Response

from app.responses.written import Begun
from app.service import Service
from shardwater.formats.chunks import in_chunks
from shardwater.sequences.stored import DamagedSequences, StoredSequences
from worker.jobs.genome_files import QUERY, SUBJECT, kept_sequences
from worker.jobs.states import DamagedJob

CONTENT: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/ComparisonRecords"}}}
"""What the reply is to the interface's description."""
_AT_ONCE = 256


async def records_reply(service: Service, comparison: str) -> Response:
    """The records of both; raises SearchNotFound, SearchExpired, and DamagedJob where the genomes have changed."""
    account = service.comparisons.caller.account
    return await service.writers.reply(account, lambda: _begun(_opened(service, comparison)))


def _begun(sides: Mapping[str, StoredSequences]) -> Begun:
    return Begun({"Cache-Control": "private, no-cache"}, in_chunks(_written(sides)), "application/json")


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
