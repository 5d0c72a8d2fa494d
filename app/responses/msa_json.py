"""MSAs as they stand, as they go out."""

from app.middleware.matching import MSAS
from app.msa_schemas import MsaChain, MsaLinks, MsaParameters, Msas, MsaStage
from app.problems import problem_of
from app.schemas import Shards
from worker.jobs.kept import reading
from worker.jobs.msa_requests import MsaRequest, distinct
from worker.jobs.states import SearchState
from worker.jobs.store import JobStore
from worker.kinds.msa import MsaResult, read_msas


def path_of(root: str, msas: str) -> str:
    """An address on this server."""
    return f"{root}{MSAS}/{msas}"


def asked_of(store: JobStore, job: str) -> MsaRequest:
    """What was asked for; raises SearchNotFound, SearchExpired and DamagedJob."""
    return store.request_read(job, MsaRequest.model_validate_json)


def found_of(store: JobStore, job: str) -> MsaResult:
    """What was found, once that has succeeded; raises what JobStore.packed_result does."""
    with reading(job):
        return read_msas(store.packed_result(job))


def shown(root: str, store: JobStore, state: SearchState, *, reused: bool = False) -> Msas:
    """MSAs of the service below `root`; raises SearchNotFound, SearchExpired and DamagedJob."""
    asked = asked_of(store, state.id)
    found = found_of(store, state.id) if state.state == "succeeded" else None
    complexes = asked.complexes()
    numbers = distinct(complexes)
    chains = [(place, record) for place, each in enumerate(complexes, start=1) for record in each]
    paired = [asked.pairing != "none" and len(each) > 1 for each in complexes]
    shown_chains = []
    for number, (place, record) in enumerate(chains, start=1):
        stages = found.chains[numbers[record.residues.upper()]].stages if found else ()
        shown_chains.append(
            MsaChain(
                number=number,
                complex=place,
                id=record.id,
                title=record.title,
                length=len(record.residues),
                paired=paired[place - 1],
                stages=[MsaStage.model_validate(stage, from_attributes=True) for stage in stages],
            )
        )
    parameters = MsaParameters(**asked.model_dump(include=set(MsaParameters.model_fields)))
    return listed(root, state).model_copy(
        update={"reused": reused, "parameters": parameters, "chains": shown_chains},
    )


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
