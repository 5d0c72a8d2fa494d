"""Jobs that are made of others (composed.py), accepted: with those of the others that are not there, or not at all.

All is one transaction, so that a quota, a full queue or a crash leaves no job behind that belongs to nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from redis import WatchError
from redis.client import Pipeline

from worker.jobs.composed import belong
from worker.jobs.ids import new_id
from worker.jobs.quotas import Charge
from worker.jobs.states import Submission
from worker.jobs.submission import NewJob, Once, Submissions


@dataclass(frozen=True, slots=True)
class NewWhole:
    """Jobs that differ and run on the same target, and the one that is made of them: by their ids, in their order.

    Raises ValueError where there are none: nothing would ever end the one that is made of them.
    """

    jobs: Sequence[NewJob]
    whole: Callable[[Sequence[str]], NewJob]

    def __post_init__(self) -> None:
        if not self.jobs:
            raise ValueError("a job that is made of others is made of one at least")


@dataclass(frozen=True, slots=True)
class WholeSubmission:
    """One that is to be accepted. charge: what some jobs cost; fresh: all is to be done anew; once: the client's
    key for the request, if it has made one up; room: raises StorageFull where there is no room for files of new jobs.
    """

    submissions: Submissions
    new: NewWhole
    charge: Callable[[Sequence[NewJob]], Charge]
    fresh: bool = False
    once: str = ""
    room: Callable[[], None] = lambda: None

    def submit(self) -> Submission:
        """Accept it, or find the job that answers the same request; those of its jobs that are there are taken.

        Raises what Submissions.submit does.
        """
        with self.submissions.redis.pipeline() as pipe:
            while True:
                try:
                    return self._submitted(pipe)
                except WatchError:
                    continue

    def _submitted(self, pipe: Pipeline) -> Submission:
        claims = [job.claim for job in self.new.jobs]
        # What a request is does not depend on which jobs answer it.
        once = Once.of(self.once, self.new.whole(())) if self.once else None
        if watched := [*([] if self.fresh else claims), *([once.key] if once else [])]:
            pipe.watch(*watched)  # type: ignore[no-untyped-call]
        if once is not None and (before := self.submissions.asked_before(once)) is not None:
            charge = self.charge(())
            charge.give_back()
            return Submission(before, reused=True, standings=charge.standings)
        found = [None] * len(claims) if self.fresh else self.submissions.all_answering(claims)
        # What is stored costs something, be it that nothing else is to be done.
        charge = self.charge(self._missing(found) or [self.new.whole(())])
        accepted = None
        try:
            accepted = self._accepted(pipe, found, charge, once)
        finally:
            if accepted is None or accepted.reused:
                charge.give_back()
        return replace(accepted, standings=charge.standings)

    def _missing(self, found: Sequence[str | None]) -> list[NewJob]:
        return [job for job, earlier in zip(self.new.jobs, found, strict=True) if earlier is None]

    def _accepted(self, pipe: Pipeline, found: Sequence[str | None], charge: Charge, once: Once | None) -> Submission:
        """found: of each of its jobs the one that is there."""
        submissions, missing = self.submissions, self._missing(found)
        if missing:
            self.room()
        stamp = submissions.check_room(missing) if missing else submissions.stamp()
        made = iter([new_id(stamp.mark, job.kind) for job in missing])
        ids = [earlier or next(made) for earlier in found]
        whole, earlier = self.new.whole(ids), None
        if not missing:
            pipe.watch(whole.claim)  # type: ignore[no-untyped-call]
            earlier = submissions.answering(whole.claim)
        if earlier is None:
            submissions.check_share([*missing, self.new.whole(ids)], charge.account)
            charge.take()
        called = earlier or new_id(stamp.mark, whole.kind)
        pipe.multi()
        if once is not None:
            submissions.remember(pipe, once, called, charge.account)
        calls = []
        if earlier is None:
            new = [id_ for id_, before in zip(ids, found, strict=True) if before is None]
            for id_, job in zip(new, missing, strict=True):
                submissions.accept(pipe, id_, job, stamp, charge.account)
                calls.append(len(pipe) - 1)
            submissions.accept(pipe, called, whole, stamp, charge.account)
            belong(pipe, ids, called, submissions.retention.search_s)
        answers = pipe.execute()
        submissions.call_workers([workers for call in calls for workers in answers[call]])
        return Submission(called, reused=earlier is not None)
