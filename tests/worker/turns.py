"""What a worker does with its line when RQ calls it."""

from worker.line import BroughtJob, Line, Wanted
from worker.queues import search_of


def take_up(line: Line, job: BroughtJob) -> Wanted | None:
    """Take up the search of a job."""
    with line.client.redis.pipeline() as pipe:
        line.take_up(pipe, job)
        pipe.execute()
    return line.begun(search_of(job.id))
