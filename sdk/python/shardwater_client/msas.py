"""MSAs made by the server, as steps: chains or complexes sent, the job followed to its end, MSAs in any format."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, TypedDict

from attrs import fields

from shardwater_client import errors
from shardwater_client.calls import Calls, read
from shardwater_client.errors import MsaFailedError, MsaTimeoutError
from shardwater_client.generated import models
from shardwater_client.generated.api.msas import (
    cancel_msas,
    create_msas,
    delete_msas,
    estimate_msas,
    get_msa_columns,
    get_msa_results,
    get_msas,
    list_msas,
)
from shardwater_client.generated.types import UNSET, Unset
from shardwater_client.sources import UPLOAD_TIMEOUT_S
from shardwater_client.steps import Call, Flow, Give, Request
from shardwater_client.texts import text_of

MsaTold = Callable[[models.Msas], None]
"""Is called with the job each time that it is asked for."""
Chains = models.Complex | str | Sequence[str]
"""The chains of a complex, a bare sequence each, or FASTA with one record; a string is a chain alone."""
MsaQueries = str | PathLike[str] | Sequence[Chains]
"""FASTA, of which each record is a chain of its own; a file of it; or complexes."""


class MsaParameters(TypedDict, total=False):
    """How MSAs are made; what is left out has the server's default."""

    then: Sequence[str]
    """More databases, searched once with the profiles of what `databases` had; their rows make MSAs of their own."""
    iterations: int
    evalue: float
    inclusion_evalue: float
    max_sequences: int
    filter: models.MsaFilter
    pairing: models.ChainPairing
    """Of complexes: rows of several chains that are of one organism are paired."""
    title: str


@dataclass(frozen=True, slots=True)
class MsaWish:
    """Which MSA is wanted, and how: of one chain, from 1, or of all; of which list of databases; only paired rows."""

    form: models.MsaFormat = "a3m"
    chain: int | None = None
    of: models.MsaDatabases = "databases"
    pairs: bool = False

    def request(self, msa_id: str) -> Request:
        """The request for it."""
        chain = UNSET if self.chain is None else self.chain
        arguments = get_msa_results._get_kwargs(msa_id, format_=self.form, chain=chain, of=self.of, pairs=self.pairs)
        return Request(arguments, UPLOAD_TIMEOUT_S)


def submit(
    calls: Calls, queries: MsaQueries, databases: str | Sequence[str], parameters: Mapping[str, Any], *, fresh: bool
) -> Call[models.Msas]:
    """Have MSAs made, and do not wait. Raises TypeError for an unknown parameter."""
    arguments = create_msas._get_kwargs(
        body=_body(queries, databases, parameters),
        cache_control="no-cache" if fresh else UNSET,
        # One key for all tries, so that a job whose reply got lost is found and not run twice.
        idempotency_key=f'"{uuid.uuid4()}"',
    )
    reply = yield from calls.send(Request(arguments, UPLOAD_TIMEOUT_S))
    return read(models.Msas, reply)


def estimate(
    calls: Calls, queries: MsaQueries, databases: str | Sequence[str], parameters: Mapping[str, Any]
) -> Call[models.MsaEstimate]:
    """What MSAs would take. Raises TypeError for an unknown parameter."""
    arguments = estimate_msas._get_kwargs(body=_body(queries, databases, parameters))
    return read(models.MsaEstimate, (yield from calls.send(Request(arguments, UPLOAD_TIMEOUT_S))))


def _body(queries: MsaQueries, databases: str | Sequence[str], parameters: Mapping[str, Any]) -> models.MsaRequest:
    known = {field.name.rstrip("_") for field in fields(models.MsaRequest)} - {"queries", "databases"}
    if unknown := sorted(parameters.keys() - known):
        raise TypeError(f"there is no parameter {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    given = {"filter_" if name == "filter" else name: value for name, value in parameters.items()}
    names = databases.split() if isinstance(databases, str) else list(databases)
    return models.MsaRequest(queries=_queries(queries), databases=names, **given)


def _queries(queries: MsaQueries) -> str | list[models.Complex]:
    if isinstance(queries, str | PathLike):
        return text_of(queries)
    return [_complex(each) for each in queries]


def _complex(chains: Chains) -> models.Complex:
    if isinstance(chains, models.Complex):
        return chains
    # A string is a sequence of strings, too: of letters.
    return models.Complex(chains=[chains] if isinstance(chains, str) else list(chains))


def ended(calls: Calls, msa_id: str, timeout_s: float | None, progress: MsaTold | None) -> Call[models.Msas]:
    """A job, once it has succeeded."""
    request = Request(get_msas._get_kwargs(msa_id))
    try:
        found = yield from calls.ended(
            request, models.Msas, MsaTimeoutError(msa_id), calls.deadline(timeout_s), progress
        )
        if found.state != "succeeded":
            raise _failure_of(found)
    except errors.ShardwaterError as error:
        error.msa_id = msa_id
        raise
    return found


def _failure_of(msas: models.Msas) -> MsaFailedError:
    problem = msas.error
    error = MsaFailedError(problem.detail if problem else f"{msas.id} was {msas.state}", problem)
    error.msas = msas
    return error


def status(calls: Calls, msa_id: str) -> Call[models.Msas]:
    """How a job stands."""
    reply = yield from calls.send(Request(get_msas._get_kwargs(msa_id)))
    return read(models.Msas, reply)


def cancel(calls: Calls, msa_id: str) -> Call[models.Msas]:
    """Stop a job."""
    reply = yield from calls.send(Request(cancel_msas._get_kwargs(msa_id)))
    return read(models.Msas, reply)


def delete(calls: Calls, msa_id: str) -> Call[None]:
    """Remove a job and its MSAs."""
    yield from calls.remove(Request(delete_msas._get_kwargs(msa_id)))


def listed(calls: Calls, state: models.SearchState | None, page_size: int) -> Flow[models.Msas]:
    """Jobs, newest first, a page at a time."""
    token: str | Unset = UNSET
    while token != "":
        arguments = list_msas._get_kwargs(
            state=UNSET if state is None else state, page_size=page_size, page_token=token
        )
        page = read(models.MsasPage, (yield from calls.send(Request(arguments))))
        for each in page.items:
            yield Give(each)
        token = page.next_page_token


def download(calls: Calls, msa_id: str, wish: MsaWish) -> Call[bytes]:
    """MSAs of a job that has succeeded, in a format."""
    reply = yield from calls.send(wish.request(msa_id))
    return reply.content


def pieces(calls: Calls, msa_id: str, wish: MsaWish) -> Flow[bytes]:
    """The same, piece by piece."""
    yield from calls.stream(wish.request(msa_id))


def columns(calls: Calls, msa_id: str, wish: MsaWish) -> Call[models.MsaColumns]:
    """What the columns of a chain's MSA have."""
    arguments = get_msa_columns._get_kwargs(msa_id, chain=wish.chain or 1, of=wish.of, pairs=wish.pairs)
    return read(models.MsaColumns, (yield from calls.send(Request(arguments, UPLOAD_TIMEOUT_S))))
