"""The function that RQ calls in a worker."""

from worker.runner.context import worker_context
from worker.runner.serve import serve


def serve_queue(queue: str) -> None:
    """A wake-up: do what waits in the queue of this worker, whatever queue the call names, until nothing does."""
    serve(worker_context())
