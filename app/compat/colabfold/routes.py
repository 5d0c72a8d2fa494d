"""POST /ticket/msa and /ticket/pair, and templates, of which there are none."""

import asyncio
from functools import partial

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse

from app.compat.colabfold.modes import AlignMode, read_pairing
from app.compat.colabfold.stand_ins import env_of, uniref_of
from app.compat.colabfold.tickets import Ticket, status_of
from app.compat.faults import DialectRoute
from app.compat.fields import Fields, read_fields
from app.problems import InvalidParameterError, NotHereError
from app.requests.forms import MULTIPART, media_type_of, read_urlencoded
from app.requests.large_bodies import is_large
from app.requests.msa_inputs import submit_msas
from app.responses.rate_limit_headers import quota_headers
from app.routers import new_router
from app.service import CurrentService, Service
from shardwater.search.warnings import pairing_warnings
from shardwater.sequences.fasta import read_fasta
from worker.jobs.msa_requests import MOST_CHAINS, MsaRequest
from worker.jobs.states import Submission
from worker.telemetry.logs import log, search_id

HELD_S = 5.0
"""How long a POST is held for the end of its job: clients wait 6.02 s for the answer, and ask again 5 to 10 s later."""
ASKED = {"iterations": 3, "evalue": 0.1, "inclusion_evalue": 0.1, "max_sequences": 10_000}
"""What ColabFold's server asks of MMseqs2."""

router = new_router(include_in_schema=False, route_class=DialectRoute)


@router.post("/ticket/msa")
async def create_msas(request: Request, service: CurrentService) -> Response:
    """Make an MSA for each record."""
    return await _answer(request, service, pairs=False)


@router.post("/ticket/pair")
async def create_pairs(request: Request, service: CurrentService) -> Response:
    """Pair the records' rows."""
    return await _answer(request, service, pairs=True)


@router.get("/template/{names}")
def get_templates(names: str) -> Response:
    """Structures, which nobody is led to: lists of templates are empty."""
    raise NotHereError("there are no templates here: none were found, so none need be fetched")


async def _answer(request: Request, service: Service, *, pairs: bool) -> Response:
    clock = asyncio.get_running_loop().time
    until = clock() + HELD_S
    async with service.large_bodies.body_of(request) as body:
        fields = await _read(request, body)
        submit = partial(_submit_pairs if pairs else _submit, service, fields)
        # Many chains take the interpreter long: accounts take turns. A large body has its turn already.
        run = run_in_threadpool if is_large(body) else partial(service.tellers.run, service.msas.caller.account)
        ticket, submission = await run(submit)
    search_id.set(ticket.msas)
    said = {"id": str(ticket)}
    if pairs and (reason := await run_in_threadpool(_not_paired, service)):
        # Clients show no reason: the operator, who can give the database taxids, reads it in the log.
        log.warning("MSAs are asked for in pairs: %s", reason)
        said["reason"] = reason
    await service.endings.wait(ticket.msas, max(0.0, until - clock()))
    said["status"] = await run_in_threadpool(status_of, service, ticket)
    headers = {"Cache-Control": "no-store", **quota_headers(submission.standings)}
    return JSONResponse(said, headers=headers)


def _not_paired(service: Service) -> str:
    """Why no rows are paired, where the database says no organisms; '' where it does."""
    name = uniref_of(service)
    warnings = pairing_warnings([] if service.database(name).manifest.has_taxids else [name])
    return "".join(each.detail for each in warnings)


async def _read(request: Request, body: bytes) -> Fields:
    """A form, whatever its type is said to be: with a key, Boltz says that it is JSON."""
    if media_type_of(request) == MULTIPART:
        return await read_fields(request, body)
    return Fields(await read_urlencoded(request, body))


def _submit(service: Service, fields: Fields) -> tuple[Ticket, Submission]:
    mode, query = AlignMode.read(fields.get("mode") or ""), _query(service, fields)
    env = env_of(service) if mode.env else None
    asked = {
        **ASKED,
        "queries": query,
        "databases": [uniref_of(service)],
        "then": [env] if env else [],
        "filter": mode.filter,
    }
    submission = submit_msas(service, MsaRequest.model_validate(asked))
    return Ticket(submission.id, mode.env, mode.templates), submission


def _submit_pairs(service: Service, fields: Fields) -> tuple[Ticket, Submission]:
    pairing, query = read_pairing(fields.get("mode") or ""), _query(service, fields)
    records = read_fasta(query.encode())
    if len(records) > MOST_CHAINS:
        raise InvalidParameterError("q", f"a complex has {MOST_CHAINS} chains at most")
    chains = [f">{record.header}\n{record.residues.decode()}" for record in records]
    asked = {
        **ASKED,
        "queries": [{"chains": chains}],
        "databases": [uniref_of(service)],
        "filter": "none",
        "pairing": pairing,
    }
    submission = submit_msas(service, MsaRequest.model_validate(asked))
    return Ticket(submission.id), submission


def _query(service: Service, fields: Fields) -> str:
    query = fields.need("q")
    service.settings.limits.check_text(query)
    return query
