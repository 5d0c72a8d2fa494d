"""What the page asks of a box: what it would take to align it, and its score map.

A score map is a job of pairs: both stretches are cut into pieces, and each piece of one is aligned with each of the
other. So it is as exact as any alignment, and no larger than the box.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from app.comparison_schemas import StretchAlignment
from app.problems import UnsupportedMediaTypeError
from app.requests.bodies import JSON
from app.requests.forms import media_type_of
from app.requests.large_bodies import small_body
from app.requests.query_parameters import refuse_others
from app.requests.stretches import parameters_of, store_stretches
from app.responses import alignment_json, comparison_json
from app.responses.search_json import root_of
from app.routers import new_router
from app.service import CurrentService, Service
from shardwater.pairs.lists import PairLists
from shardwater.sequences.named import Letters
from shardwater.sequences.stored import StoredSequences
from worker.jobs.files import WHAT
from worker.jobs.folders import storing
from worker.jobs.pair_requests import PairParameters
from worker.jobs.submission import NewJob
from worker.kinds.alignment import cells_of, plan

router = new_router(include_in_schema=False)

PIECES = 48
"""Along each side of a map, at most."""
LEAST_PIECE = 16
"""Letters: shorter ones are alike by chance."""
_LARGEST = 10_000
"""Bytes of a body."""


@router.post("/comparisons/{comparison}/box:estimate")
async def estimate_box(request: Request, comparison: str, service: CurrentService) -> Response:
    """What a box's alignment and its map would take together."""
    asked = await _asked(request)
    async with service.copying_places.turn(service.store.caller.account):
        estimate = await run_in_threadpool(_estimate, service, comparison, asked)
    return JSONResponse(estimate, headers={"Cache-Control": "no-store"})


@router.post("/comparisons/{comparison}/score-map")
async def create_score_map(request: Request, comparison: str, service: CurrentService) -> Response:
    """The job that makes a box's map: its pairs are in rows, one for each piece of the query's side."""
    asked = await _asked(request)
    async with service.copying_places.turn(service.store.caller.account):
        alignment = await run_in_threadpool(_submit, service, comparison, asked)
    state = await run_in_threadpool(service.alignments.state, alignment)
    told = await run_in_threadpool(alignment_json.shown, root_of(request), service.alignments, state)
    return JSONResponse(told.model_dump(mode="json"), 202, {"Cache-Control": "no-store"})


async def _asked(request: Request) -> StretchAlignment:
    refuse_others(request, (), "stretches stand in the body: the query string has none beside it")
    if media_type_of(request) != JSON:
        raise UnsupportedMediaTypeError(f"stretches are posted as {JSON}")
    return StretchAlignment.model_validate_json(await small_body(request, _LARGEST))


def _estimate(service: Service, comparison: str, asked: StretchAlignment) -> dict[str, float]:
    parameters = parameters_of(asked, comparison_json.parameters_of(service.comparisons, comparison))
    with service.new_folder() as whole, service.new_folder() as cut:
        lists = store_stretches(service, comparison, asked, whole.path)
        jobs = plan(parameters, lists, whole.path, ""), _plan_map(service, parameters, lists, cut.path)
        outlooks = [service.alignments.estimate(job).outlook for job in jobs]
    return {
        "cells": cells_of(lists, parameters),
        "seconds": sum(each.seconds for each in outlooks) + max(each.queue_seconds for each in outlooks),
    }


def _submit(service: Service, comparison: str, asked: StretchAlignment) -> str:
    # Whose it is comes before anything of it is opened.
    parameters = parameters_of(asked, comparison_json.parameters_of(service.comparisons, comparison))
    with service.new_folder() as whole, service.new_folder() as cut:
        lists = store_stretches(service, comparison, asked, whole.path)
        job = _plan_map(service, parameters, lists, cut.path)
        return service.alignments.submit(job, once="", folder=cut).id


def _plan_map(service: Service, parameters: PairParameters, lists: PairLists, folder: Path) -> NewJob:
    with storing(folder, WHAT):
        queries = StoredSequences.write(folder / "queries", _pieces(lists.queries))
        pieces = PairLists(queries, StoredSequences.write(folder / "subjects", _pieces(lists.subjects)), "all")
    pieces.check(service.settings.pair_bounds)
    return plan(parameters.model_copy(update={"pairing": "all", "report": "score"}), pieces, folder, "")


def _pieces(stretch: StoredSequences) -> Iterator[Letters]:
    """A stretch in pieces of equal length, but for one letter."""
    [whole] = stretch
    letters = whole.letters
    count = max(1, min(PIECES, len(letters) // LEAST_PIECE))
    ends = [len(letters) * number // count for number in range(count + 1)]
    for number, (begin, end) in enumerate(pairwise(ends), start=1):
        yield Letters(f"{number}", letters[begin:end])
