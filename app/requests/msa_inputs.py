"""MSAs as they are accepted: a job for each chain that differs, and the one that lists them."""

from functools import partial

from app.requests.database_versions import available
from app.service import Service
from worker.jobs.listed_chains import check_headers
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.quotas import digest_of
from worker.jobs.states import Submission
from worker.jobs.submission import NewJob
from worker.jobs.targets import SearchTarget
from worker.kinds import chain, msa


def submit_msas(service: Service, asked: MsaRequest, fresh: bool = False, key: str = "") -> Submission:
    """Have MSAs made, within the limits; where one chain is not accepted, none is.

    Raises FastaFormatError, LimitExceeded, InvalidParameterError, StorageFull, and what JobStore.submit does.
    """
    jobs = planned(service, asked)
    check_room = partial(service.files.check_room, account=digest_of(service.msas.caller.account))
    return service.msas.submit_whole(jobs, lambda ids: msa.plan(asked, ids), fresh=fresh, once=key, room=check_room)


def planned(service: Service, asked: MsaRequest) -> list[NewJob]:
    """The chains that differ, as they would be searched for, within the limits.

    Raises FastaFormatError, LimitExceeded, InvalidParameterError, ShardUnavailable.
    """
    asked.check_texts(service.settings.limits)
    records = [record for each in asked.complexes() for record in each]
    service.settings.limits.check(records, 1)
    check_headers(asked)
    target, then = targets_of(service, asked)
    return [chain.plan(each, target) for each in msa.chain_requests(asked, then)]


def targets_of(service: Service, asked: MsaRequest) -> tuple[SearchTarget, SearchTarget | None]:
    """The databases that are searched in rounds, and those that are searched once with what was found."""
    target, then = (
        [(f"/{field}/{number}", name) for number, name in enumerate(names)]
        for field, names in (("databases", asked.databases), ("then", asked.then))
    )
    return available(service, target), available(service, then) if then else None
