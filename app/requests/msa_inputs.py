"""MSAs as they are accepted: a job for each chain that differs, and the one that lists them."""

from dataclasses import replace

from app.requests.database_versions import available
from app.service import Service
from worker.jobs.composed import belong, give_up
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.states import Submission
from worker.jobs.targets import SearchTarget
from worker.kinds import chain, msa


def submit_msas(service: Service, asked: MsaRequest, fresh: bool = False, key: str = "") -> Submission:
    """Have MSAs made, within the limits; where one chain is not accepted, none is.

    Raises FastaFormatError, LimitExceeded, InvalidParameterError, StorageFull, and what JobStore.submit does.
    """
    records = [record for each in asked.complexes() for record in each]
    service.settings.limits.check(records, 1)
    target, then = targets_of(service, asked)
    service.files.check_room()
    made: list[Submission] = []
    try:
        for each in msa.chain_requests(asked, then):
            with service.files.new(None) as folder:
                made.append(service.chains.submit(chain.plan(each, target), fresh=fresh, folder=folder))
        jobs = [each.id for each in made]
        submission = service.msas.submit(msa.plan(asked, jobs), fresh=fresh, once=key)
    except Exception:
        give_up(service.chains, [each.id for each in made if not each.reused], "")
        raise
    if not submission.reused:
        belong(service.store.redis, jobs, submission.id, service.settings.retention_s)
    return replace(submission, standings=made[-1].standings)


def targets_of(service: Service, asked: MsaRequest) -> tuple[SearchTarget, SearchTarget | None]:
    """The databases that are searched in rounds, and those that are searched once with what was found."""
    target, then = (
        [(f"/{field}/{number}", name) for number, name in enumerate(names)]
        for field, names in (("databases", asked.databases), ("then", asked.then))
    )
    return available(service, target), available(service, then) if then else None
