"""What a worker does with its line when RQ calls it."""

from worker.line import Line, Wanted


def take_up(line: Line, search: str) -> Wanted | None:
    """Take up the search that it is called for."""
    with line.client.redis.pipeline() as pipe:
        line.take_up(pipe, search)
        line.answer = pipe.execute()[-1]
    return line.begun(search)
