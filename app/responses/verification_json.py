"""A verification as it goes out."""

from dataclasses import asdict

from app.problems import problem_of
from app.responses import search_json
from app.responses.search_json import shown_database
from app.schemas import Difference, Verification, VerificationLinks, VerificationReport
from shardwater.search.databases import together
from worker.jobs.kept import reading
from worker.jobs.store import JobStore
from worker.kinds.verification import VerificationRequest, read_verification


def path_of(root: str, verification: str) -> str:
    """A verification's address on this server."""
    return f"{root}/v1/verifications/{verification}"


def shown(root: str, verifications: JobStore, verification: str) -> Verification:
    """A verification of the service below `root`; raises SearchNotFound, SearchExpired and DamagedJob."""
    state = verifications.state(verification)
    asked = verifications.request_read(verification, VerificationRequest.model_validate_json)
    path = path_of(root, verification)
    return Verification(
        id=state.id,
        search=asked.search,
        sample=asked.sample,
        state=state.state,
        database=shown_database(together(state.databases)),
        created_at=state.created_at,
        finished_at=state.finished_at,
        expires_at=state.expires_at,
        progress=state.progress,
        error=problem_of(state.error) if state.error else None,
        position=state.position,
        estimate_s=state.estimate_s,
        report=_report(verifications, verification) if state.state == "succeeded" else None,
        links=VerificationLinks(self=path, cancel=f"{path}:cancel", search=search_json.path_of(root, asked.search)),
    )


def _report(verifications: JobStore, verification: str) -> VerificationReport:
    with reading(verification):
        found = read_verification(verifications.packed_result(verification))
    return VerificationReport(
        equal=found.equal,
        cells=found.cells,
        subjects=found.subjects,
        stored_digest=found.stored_digest,
        changed=found.changed,
        total=found.total,
        differences=[Difference(**asdict(each)) for each in found.differences],
        software=found.software,
    )
