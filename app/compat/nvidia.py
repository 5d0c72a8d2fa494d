"""The routes of NVIDIA's MSA Search microservice (NIM), as its API reference of version 2.6 describes them.

A request is answered with its MSAs, and so is held until they are there. What is searched are databases of this server;
those that NVIDIA's clients name are taken for the ones that stand for them.

A request may be a batch: a list of sequences, or of complexes. Each item is a request of its own: one that fails leaves
the others as they are.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from string import ascii_uppercase
from typing import Annotated, Generic, Literal, TypeVar, cast

from fastapi import HTTPException, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, field_validator

from app.compat.colabfold.downloads import paired_rows
from app.compat.colabfold.stand_ins import env_of, uniref_of
from app.compat.faults import Fault, fault_of, route_class
from app.problems import InvalidParameterError
from app.requests.bodies import FlatBody
from app.requests.msa_inputs import submit_msas
from app.responses.ended_msas import EndedMsas
from app.responses.rate_limit_headers import quota_headers
from app.responses.written import Begun
from app.routers import new_router
from app.service import CurrentService, Service
from shardwater.formats.chunks import in_chunks
from shardwater.formats.msas.colabfold import write_paired
from shardwater.formats.msas.writers import MSA_FORMATS
from shardwater.msa.msa import Msa
from shardwater.msa.pairing import PairingName
from shardwater.msa.texts import Numbers
from shardwater.profiles.iteration import INCLUSION_EVALUE
from worker.jobs.folders import StorageFull
from worker.jobs.msa_requests import MOST_CHAINS, MsaRequest
from worker.jobs.quotas import QuotaExceeded
from worker.jobs.states import QueueFull, Submission

HELD_S = 240.0
"""How long a request is held: NVIDIA's own client waits 300 s."""
TOO_LATE = 504
ROUNDS, PROFILE_EVALUE, MOST_SUBJECTS = 3, 0.1, 10_000
"""Of the search type `colabfold`, as ColabFold's server has them; subjects before the filter of any type."""
MOST_NAMED = 3
MAX_BATCH = 300
"""Items of a batch: NVIDIA's default."""
_FLAT = FlatBody(
    asked="MSAs",
    more="each request is of some chains or complexes",
    most_strings=10 * MAX_BATCH,
    most_between=10_000,
)

Form = Literal["a3m", "fasta"]
Evalue = Annotated[float, Field(gt=0, le=1)]
Depth = Annotated[int, Field(ge=1, le=MOST_SUBJECTS)]
Names = Annotated[list[str], Field(min_length=1, max_length=MOST_NAMED)]
Records = dict[str, dict[str, dict[str, str]]]
_Asked = TypeVar("_Asked", "MsaSearch", "PairedSearch")
T = TypeVar("T")


class MsaSearch(BaseModel):
    """MSAs of a chain, one for each database; of a batch, of each chain."""

    model_config = ConfigDict(extra="forbid")

    sequence: str | list[str] = Field(min_length=1)
    databases: Names = ["all"]
    search_type: Literal["colabfold", "alphafold2"] = "colabfold"
    e_value: Evalue = 1e-4
    iterations: int = Field(1, ge=1, le=6)
    max_msa_sequences: Depth = 500
    output_alignment_formats: list[Form] = Field(["a3m"], min_length=1, max_length=2)

    @field_validator("sequence")
    @classmethod
    def _check_sequence(cls, value: str | list[str]) -> str | list[str]:
        if isinstance(value, list):
            _check_batch(len(value))
        return value

    @property
    def count(self) -> int:
        """Chains of an item."""
        return 1

    @property
    def batch(self) -> "list[MsaSearch] | None":
        """Each item of a batch; None where this is none."""
        if isinstance(self.sequence, str):
            return None
        return [self.model_copy(update={"sequence": each}) for each in self.sequence]


class PairedSearch(BaseModel):
    """Paired rows of a complex's chains, for each database; chains of a list are called A, B and so on.

    Of a batch, of each complex.
    """

    model_config = ConfigDict(extra="forbid")

    sequences: list[str] | dict[str, str] | list[list[str]] = Field(min_length=1)
    databases: Names = ["all"]
    e_value: Evalue = 1e-4
    max_msa_sequences: Depth = 500
    pairing_strategy: PairingName = "greedy"
    output_alignment_formats: list[Literal["a3m"]] = Field(["a3m"], min_length=1, max_length=1)
    unpack: Literal[True] = True

    @field_validator("sequences")
    @classmethod
    def _check_sequences(
        cls, value: list[str] | dict[str, str] | list[list[str]]
    ) -> list[str] | dict[str, str] | list[list[str]]:
        counts = [len(each) for each in _batch_of(value) or ()] or [len(value)]
        _check_batch(len(counts))
        if not all(0 < count <= MOST_CHAINS for count in counts):
            raise ValueError(f"a complex has 1 to {MOST_CHAINS} chains")
        return value

    @property
    def count(self) -> int:
        """Chains of an item."""
        return len(self.sequences)

    @property
    def batch(self) -> "list[PairedSearch] | None":
        """Each item of a batch; None where this is none."""
        if (complexes := _batch_of(self.sequences)) is None:
            return None
        return [self.model_copy(update={"sequences": each}) for each in complexes]

    @property
    def chains(self) -> Mapping[str, str]:
        """Sequences by the names of their chains; of no batch."""
        if isinstance(self.sequences, dict):
            return self.sequences
        return dict(zip(_chain_names(), cast(list[str], self.sequences), strict=False))


def _batch_of(sequences: list[str] | dict[str, str] | list[list[str]]) -> list[list[str]] | None:
    """The complexes of a batch; None for one complex."""
    if isinstance(sequences, dict):
        return None
    return [each for each in sequences if isinstance(each, list)] or None


def _check_batch(items: int) -> None:
    """Raise ValueError for more than a batch may have."""
    if items > MAX_BATCH:
        raise ValueError(f"a batch has {MAX_BATCH} items or fewer, not {items}")


def _chain_names() -> Iterator[str]:
    yield from ascii_uppercase
    yield from (first + second for first in ascii_uppercase for second in ascii_uppercase)


def _error(_: Request, fault: Fault) -> Response:
    return JSONResponse({"detail": fault.text}, fault.status)


router = new_router(
    prefix="/biology/colabfold/msa-search", include_in_schema=False, route_class=route_class(_error, {})
)


@router.post("/predict")
async def search_msas(request: Request, service: CurrentService) -> Response:
    """MSAs of a chain, or of each chain of a batch."""
    return await _answer(request, service, _Kind(MsaSearch, _submit, _alignments))


@router.post("/paired/predict")
async def search_pairs(request: Request, service: CurrentService) -> Response:
    """Rows of a complex's chains in pairs, or of each complex of a batch."""
    return await _answer(request, service, _Kind(PairedSearch, _submit_paired, _by_chain))


Submitted = list[tuple[str, int, Submission]]
"""The databases as they were named, each with the list of its job that it is in, and the job."""


@dataclass(frozen=True, slots=True)
class _Kind(Generic[_Asked]):
    """One of the two routes: its request, how jobs are made of one item, and how their answer is written."""

    model: type[_Asked]
    submit: Callable[[Service, _Asked], Submitted]
    write: Callable[[Service, _Asked, Submitted], Iterator[str]]


@dataclass(frozen=True, slots=True)
class _Item(Generic[_Asked]):
    """An item of a batch, with its jobs or with what is wrong with it."""

    asked: _Asked
    submitted: Submitted | Exception


async def _answer(request: Request, service: Service, kind: _Kind[_Asked]) -> Response:
    until = asyncio.get_running_loop().time() + HELD_S
    async with service.large_bodies.body_of(request) as body:
        _FLAT.check(request, body)
        asked = kind.model.model_validate_json(body)
        if (batch := asked.batch) is None:
            submitted = await _in_turn(service, partial(kind.submit, service, asked))
        else:
            items = await _submit_each(service, kind, batch)
    if batch is None:
        await _ended(service, submitted, until)
        pieces = partial(kind.write, service, asked, submitted)
    else:
        items = [await _ended_item(service, item, until) for item in items]
        submitted = [each for item in items if isinstance(item.submitted, list) for each in item.submitted]
        pieces = partial(_results, request, service, kind, items)
    headers = {"Cache-Control": "private, no-cache"}
    if submitted:
        headers |= quota_headers(submitted[-1][2].standings)
    return await service.writers.reply(service.msas.caller.account, lambda: _begun(pieces(), headers))


async def _in_turn(service: Service, act: Callable[[], T]) -> T:
    """What this returns, beside the event loop, by a thread that accounts share. Raises ClientDisconnect."""
    return await service.tellers.run(service.msas.caller.account, act)


async def _submit_each(service: Service, kind: _Kind[_Asked], batch: Sequence[_Asked]) -> list[_Item[_Asked]]:
    """The jobs of each item, a turn for each; no further one is submitted where there is no quota or room left.

    Raises LimitExceeded for more chains than a request may have, ClientDisconnect, and what is wrong with the first
    item where nothing is accepted.
    """
    service.settings.limits.check_queries(sum(each.count for each in batch))
    items, full = list[_Item[_Asked]](), list[Exception]()
    for asked in batch:
        if full:
            items.append(_Item(asked, full[0]))
            continue
        submitted: Submitted | Exception = await _in_turn(
            service, partial(_tried, partial(kind.submit, service, asked))
        )
        if isinstance(submitted, QuotaExceeded | QueueFull | StorageFull):
            full.append(submitted)
        items.append(_Item(asked, submitted))
    if all(isinstance(item.submitted, Exception) for item in items) and isinstance(items[0].submitted, Exception):
        raise items[0].submitted
    return items


def _tried(act: Callable[[], T]) -> T | Exception:
    """What it returns, or raises."""
    try:
        return act()
    except Exception as error:
        return error.with_traceback(None)


async def _ended(service: Service, submitted: Submitted, until: float) -> None:
    """Wait for the jobs until then; raises HTTPException where one is not done."""
    clock = asyncio.get_running_loop().time
    for *_, submission in submitted:
        if await service.endings.wait(submission.id, max(0.0, until - clock())) is None:
            raise HTTPException(TOO_LATE, f"{submission.id} has not ended yet; ask for the same again, and it is found")


async def _ended_item(service: Service, item: _Item[_Asked], until: float) -> _Item[_Asked]:
    if isinstance(item.submitted, Exception):
        return item
    try:
        await _ended(service, item.submitted, until)
    except HTTPException as error:
        return replace(item, submitted=error)
    return item


def _begun(pieces: Iterator[str], headers: dict[str, str]) -> Begun:
    chunks = in_chunks(pieces)
    # What is wrong with these is answered by an error; what comes later breaks the connection.
    return Begun(headers, chain((next(chunks),), chunks), "application/json")


def _results(request: Request, service: Service, kind: _Kind[_Asked], items: Iterable[_Item[_Asked]]) -> Iterator[str]:
    """JSON of a batch: the answer of each item, or what is wrong with it."""
    yield '{"results":['
    for number, item in enumerate(items):
        submitted = item.submitted
        if isinstance(submitted, list):
            written = _tried(partial(kind.write, service, item.asked, submitted))
        else:
            written = submitted
        head = f'{"," if number else ""}{{"index":{number},"status":'
        if isinstance(written, Exception):
            yield f'{head}"error","error":{_string(fault_of(request, written).text)}}}'
        else:
            next(written)  # The brace that the item has already.
            yield f'{head}"success",'
            yield from written
    yield "]}"


def _submit(service: Service, asked: MsaSearch) -> Submitted:
    named = _databases(service, asked.databases)
    fields = {
        "queries": _record("query", cast(str, asked.sequence)),
        "evalue": asked.e_value,
        "max_sequences": MOST_SUBJECTS,
    }

    def submitted(databases: Sequence[str], then: Sequence[str], rounds: int, inclusion: float) -> Submission:
        more = {"databases": databases, "then": then, "iterations": rounds, "inclusion_evalue": inclusion}
        return submit_msas(service, MsaRequest.model_validate({**fields, **more}))

    if asked.search_type == "alphafold2":
        return [
            (name, 0, submitted([database], [], asked.iterations, INCLUSION_EVALUE)) for name, database in named.items()
        ]
    (first, profile), *others = named.items()
    jobs = [submitted([profile], [other], ROUNDS, PROFILE_EVALUE) for _, other in others]
    jobs = jobs or [submitted([profile], [], ROUNDS, PROFILE_EVALUE)]
    return [(first, 0, jobs[0]), *((name, 1, job) for (name, _), job in zip(others, jobs, strict=False))]


def _submit_paired(service: Service, asked: PairedSearch) -> Submitted:
    fields = {
        "queries": [{"chains": [_record(name, sequence) for name, sequence in asked.chains.items()]}],
        "evalue": asked.e_value,
        "inclusion_evalue": PROFILE_EVALUE,
        "iterations": ROUNDS,
        "max_sequences": MOST_SUBJECTS,
        "filter": "none",
        "pairing": asked.pairing_strategy,
    }
    named = _databases(service, asked.databases)
    if "all" in map(str.lower, asked.databases):
        # One database is for pairs there; the other's sequences are of no organism that is known.
        named = dict([*named.items()][:1])
    return [
        (name, 0, submit_msas(service, MsaRequest.model_validate({**fields, "databases": [database]})))
        for name, database in named.items()
    ]


def _record(name: str, sequence: str) -> str:
    if not name.isprintable() or ">" in sequence:
        raise InvalidParameterError("sequences", "chains have names of one line, and sequences without headers")
    return f">{name}\n{sequence}"


def _databases(service: Service, names: Sequence[str]) -> dict[str, str]:
    """The databases that are searched, by the names that were given, in their order."""
    if [name.lower() for name in names] == ["all"]:
        return {name: name for name in (uniref_of(service), env_of(service)) if name}
    ours = {database.manifest.name.lower(): database.manifest.name for database in service.searchable()}
    # One name in two cases is one database.
    spelled = dict[str, str]()
    for name in names:
        spelled.setdefault(name.lower(), name)
    return {name: _database(service, ours, name) for name in spelled.values()}


def _database(service: Service, ours: Mapping[str, str], name: str) -> str:
    lower = name.lower()
    if lower in ours:
        return ours[lower]
    if lower.startswith("uniref30"):
        return uniref_of(service)
    if lower.startswith("colabfold_envdb") and (env := env_of(service)):
        return env
    raise InvalidParameterError("databases", f"no database of this name; there are: {', '.join(ours.values())}, all")


def _alignments(service: Service, asked: MsaSearch, submitted: Submitted) -> Iterator[str]:
    found = [
        (name, EndedMsas.of(service, submission.id).msa(1, stage).first(asked.max_msa_sequences))
        for name, stage, submission in submitted
    ]
    by_name = ((name, _formats(msa, dict.fromkeys(asked.output_alignment_formats))) for name, msa in found)
    return _object([("alignments", _object(by_name))])


def _formats(msa: Msa, forms: Iterable[Form]) -> Iterator[str]:
    return _object((form, _alignment(form, MSA_FORMATS[form].write(msa))) for form in forms)


def _by_chain(service: Service, asked: PairedSearch, submitted: Submitted) -> Iterator[str]:
    names = [name for name, *_ in submitted]
    found = zip(*(paired_rows(EndedMsas.of(service, submission.id)) for *_, submission in submitted), strict=True)
    most = asked.max_msa_sequences
    by_chain = (
        (called, _object((name, _pairs(msa, rows[:most])) for name, (msa, rows) in zip(names, of, strict=True)))
        for called, of in zip(asked.chains, found, strict=True)
    )
    return _object([("alignments_by_chain", _object(by_chain))])


def _pairs(msa: Msa, rows: Numbers) -> Iterator[str]:
    return _object([("a3m", _alignment("a3m", write_paired(msa, rows)))])


def _alignment(form: Form, pieces: Iterator[bytes]) -> Iterator[str]:
    """JSON of a text, of which there is a piece in memory at a time."""
    yield '{"alignment":"'
    for piece in pieces:
        yield _string(piece.decode())[1:-1]
    yield f'","format":"{form}"}}'


def _object(members: Iterable[tuple[str, Iterator[str]]]) -> Iterator[str]:
    """JSON of an object, written as it is asked for."""
    yield "{"
    for number, (name, value) in enumerate(members):
        yield f"{',' if number else ''}{_string(name)}:"
        yield from value
    yield "}"


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
