"""A job of pairs as it goes out."""

from dataclasses import asdict

from app.alignment_schemas import Alignment, AlignmentLinks, PairCertificate
from app.middleware.matching import ALIGNMENTS
from app.problems import problem_of
from app.schemas import Shards
from worker.jobs.kept import reading
from worker.jobs.pair_requests import PairParameters
from worker.jobs.states import SearchState
from worker.jobs.store import JobStore
from worker.kinds.alignment import AlignedLists, read_aligned


def path_of(root: str, alignment: str) -> str:
    """A job's address on this server."""
    return f"{root}{ALIGNMENTS}/{alignment}"


def parameters_of(alignments: JobStore, alignment: str) -> PairParameters:
    """How a job's pairs are aligned; raises SearchNotFound, SearchExpired and DamagedJob."""
    return alignments.request_read(alignment, PairParameters.model_validate_json)


def aligned(alignments: JobStore, alignment: str) -> AlignedLists:
    """What a job has made that has succeeded; raises what JobStore.packed_result does."""
    with reading(alignment):
        return read_aligned(alignments.packed_result(alignment))


def shown_certificate(lists: AlignedLists) -> PairCertificate:
    """A certificate as it goes out."""
    return PairCertificate(**asdict(lists.certificate))


def shown(root: str, alignments: JobStore, state: SearchState, *, reused: bool = False) -> Alignment:
    """A job of the service below `root`; raises SearchNotFound, SearchExpired and DamagedJob."""
    path = path_of(root, state.id)
    certificate = shown_certificate(aligned(alignments, state.id)) if state.state == "succeeded" else None
    return Alignment(
        id=state.id,
        state=state.state,
        title=state.title,
        parameters=parameters_of(alignments, state.id),
        created_at=state.created_at,
        finished_at=state.finished_at,
        expires_at=state.expires_at,
        progress=state.progress,
        phase=state.phase,
        parts=Shards(done=state.shards.done, total=state.shards.total),
        error=problem_of(state.error) if state.error else None,
        position=state.position,
        estimate_s=state.estimate_s,
        reused=reused,
        certificate=certificate,
        links=AlignmentLinks(self=path, results=f"{path}/results", events=f"{path}/events", cancel=f"{path}:cancel"),
    )
