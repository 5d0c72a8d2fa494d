"""MSAs: each chain that differs is a job of its own (chain.py), which all who ask for it share; this one lists them.

So a chain that comes in many complexes is searched for once, chains are done side by side by whichever workers there
are, and one that fails ends the list. What is paired, and how rows are written, is settled when they are asked for.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from shardwater.errors import AlignError, DatabaseError
from shardwater.search.step import Steps
from shardwater.search.warnings import QueryWarning, pairing_warnings
from worker.jobs.chain_requests import ChainRequest
from worker.jobs.composed import await_others, give_up
from worker.jobs.costs import Work
from worker.jobs.ids import CHAIN
from worker.jobs.ids import MSA as MSA_NAME
from worker.jobs.listed_chains import KeptMsas
from worker.jobs.msa_requests import MsaRequest, distinct
from worker.jobs.results.packing import pack, unpack
from worker.jobs.rounds import Round
from worker.jobs.states import SearchExpired, SearchNotFound
from worker.jobs.store import JobStore
from worker.jobs.submission import NewJob
from worker.jobs.targets import JobsTarget, SearchTarget, of_database, read_target
from worker.kinds.chain import ChainResult, read_chain
from worker.kinds.kind import Answered, FrontEnd, Kind, NotYet, PartAnswer, Workplace


@dataclass(frozen=True, slots=True)
class MsaResult:
    """What is told of each chain that differs, in their order, and the job that has its rows."""

    chains: tuple[ChainResult, ...]
    jobs: tuple[str, ...]


_RESULT = TypeAdapter(MsaResult)


class ChainFailed(AlignError):
    """A chain whose job has not succeeded."""


def chain_requests(asked: MsaRequest, then: SearchTarget | None) -> list[ChainRequest]:
    """The chains that differ, as jobs are asked for; then: what `then` names."""
    return [chain_request(asked, residues, then) for residues in distinct(asked.complexes())]


def chain_request(asked: MsaRequest, residues: bytes, then: SearchTarget | None = None) -> ChainRequest:
    """A chain, in upper case, as its job is asked for."""
    return ChainRequest(
        residues=residues.decode(),
        database=" ".join(asked.databases),
        iterations=asked.iterations,
        evalue=asked.evalue,
        inclusion_evalue=asked.inclusion_evalue,
        max_sequences=asked.max_sequences,
        filter=asked.filter,
        then=then,
    )


def plan(asked: MsaRequest, jobs: Sequence[str]) -> NewJob:
    """The list of what these jobs find, which have been accepted."""
    return NewJob(
        kind=MSA_NAME,
        request=KeptMsas.of(asked).model_dump_json(),
        content=(asked.model_dump_json(),),
        target=JobsTarget(tuple(jobs)),
        residues=0,
        cells=0,
        work=Work(),
        batch="",
        title=asked.title,
    )


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    """What all chains have found. Raises NotYet, and ChainFailed where one has not succeeded: others are given up."""
    target = read_target(answered.target)
    assert isinstance(target, JobsTarget)
    outcomes = front_end.store.outcomes(target.jobs)
    for number, (job, outcome) in enumerate(zip(target.jobs, outcomes, strict=True)):
        if outcome not in (None, "succeeded"):
            give_up(front_end.store, target.jobs, answered.job)
            raise ChainFailed(f"chain {_first(answered, number)}: {_reason(front_end.store, job)}")
    if None in outcomes:
        ended = [job for job, outcome in zip(target.jobs, outcomes, strict=True) if outcome is not None]
        await_others(front_end.store.redis, answered.job, ended)
        raise NotYet
    chains = list(map(read_chain, front_end.store.packed_results(target.jobs)))
    asked = KeptMsas.model_validate_json(answered.request)
    if asked.pairing != "none":
        # Each chain is searched for by a job that does not know whether it is paired.
        warnings = pairing_warnings(_without_taxids(front_end, target.jobs[0]))
        for number in _of_several(asked):
            chains[number] = _warned(chains[number], warnings)
    return pack(_RESULT.dump_json(MsaResult(tuple(chains), target.jobs)))


def _without_taxids(front_end: FrontEnd, job: str) -> list[str]:
    """Those of the databases that a chain's job has searched in rounds, as far as they are still there."""
    found = []
    for each in of_database(front_end.store.target(job)).databases:
        with suppress(DatabaseError):
            if not front_end.open(each.used).manifest.has_taxids:
                found.append(each.used.name)
    return found


def _of_several(asked: KeptMsas) -> set[int]:
    """The numbers, from 0, of the chains that differ which are in a complex with others."""
    return {chain.number for each in asked.complexes if len(each) > 1 for chain in each}


def _warned(chain: ChainResult, warnings: tuple[QueryWarning, ...]) -> ChainResult:
    """The same, with more that is odd about what it is paired by: the first list of databases."""
    first, *others = chain.stages
    return ChainResult((replace(first, warnings=first.warnings + warnings), *others))


def _first(answered: Answered, number: int) -> int:
    """The first of all chains, from 1, that is one of those that differ, from 0."""
    chains = KeptMsas.model_validate_json(answered.request).chains
    return 1 + [chain.number for chain in chains].index(number)


def _reason(store: JobStore, job: str) -> str:
    try:
        error = store.state(job).error
    except (SearchNotFound, SearchExpired) as gone:
        return str(gone)
    return error.detail if error else "it was cancelled"


def read_msas(packed: bytes) -> MsaResult:
    """What `advance` made of a job that has succeeded."""
    return _RESULT.validate_json(unpack(packed))


def run(_: Workplace, __: Sequence[object]) -> Steps[list[PartAnswer]]:
    """Nothing: it has no parts."""
    raise AssertionError(f"{MSA_NAME} has no parts; those of each {CHAIN} are searched for")


MSA = Kind(MSA_NAME, KeptMsas.model_validate_json, lambda *_: 0, run, advance)
