"""MSAs as they stand, as they go out."""

from app.middleware.matching import MSAS
from app.msa_schemas import MsaChain, MsaLinks, MsaParameters, Msas, MsaStage
from app.problems import problem_of
from app.schemas import Shards
from worker.jobs.kept import reading
from worker.jobs.listed_chains import KeptMsas
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.states import SearchState
from worker.jobs.store import JobStore
from worker.kinds.msa import MsaResult, read_msas

LONGEST_SHOWN = 200
"""Letters of a chain's id, and of its title; results have all of both."""


def path_of(root: str, msas: str) -> str:
    """An address on this server."""
    return f"{root}{MSAS}/{msas}"


def asked_of(store: JobStore, job: str) -> KeptMsas:
    """What was asked for; raises SearchNotFound, SearchExpired and DamagedJob."""
    return store.request_read(job, KeptMsas.model_validate_json)


def found_of(store: JobStore, job: str) -> MsaResult:
    """What was found, once that has succeeded; raises what JobStore.packed_result does."""
    with reading(job):
        return read_msas(store.packed_result(job))


def shown(root: str, store: JobStore, state: SearchState, *, reused: bool = False) -> Msas:
    """MSAs of the service below `root`; raises SearchNotFound, SearchExpired and DamagedJob."""
    asked = asked_of(store, state.id)
    found = found_of(store, state.id) if state.state == "succeeded" else None
    chains = [(place, chain) for place, each in enumerate(asked.complexes, start=1) for chain in each]
    paired = [asked.pairing != "none" and len(each) > 1 for each in asked.complexes]
    shown_chains = []
    for number, (place, chain) in enumerate(chains, start=1):
        stages = found.chains[chain.number].stages if found else ()
        shown_chains.append(
            MsaChain(
                number=number,
                complex=place,
                id=chain.id[:LONGEST_SHOWN],
                title=chain.title[:LONGEST_SHOWN],
                length=chain.length,
                paired=paired[place - 1],
                stages=[MsaStage.model_validate(stage, from_attributes=True) for stage in stages],
            )
        )
    return listed(root, state).model_copy(
        update={"reused": reused, "parameters": parameters_of(asked), "chains": shown_chains},
    )


def parameters_of(asked: KeptMsas | MsaRequest) -> MsaParameters:
    """What was asked for, besides the queries."""
    return MsaParameters(**asked.model_dump(include=set(MsaParameters.model_fields)))


def listed(root: str, state: SearchState) -> Msas:
    """The same in a list, without its chains."""
    path = path_of(root, state.id)
    return Msas(
        id=state.id,
        state=state.state,
        title=state.title,
        created_at=state.created_at,
        finished_at=state.finished_at,
        expires_at=state.expires_at,
        progress=state.progress,
        phase=state.phase,
        parts=Shards(done=state.shards.done, total=state.shards.total),
        error=problem_of(state.error) if state.error else None,
        position=state.position,
        estimate_s=state.estimate_s,
        reused=False,
        parameters=None,
        chains=[],
        links=MsaLinks(self=path, results=f"{path}/results", events=f"{path}/events", cancel=f"{path}:cancel"),
    )
