"""A worker that is told to stop as soon as others know of it leaves in order, as at any later time."""

import signal
from collections.abc import Iterator

import pytest

from worker.jobs.redis_names import alive_key
from worker.jobs.store import JobStore
from worker.jobs.worker_registry import workers
from worker.runner.context import WorkerContext
from worker.runner.process import QueueWorker
from worker.settings import Settings


@pytest.fixture
def handlers() -> Iterator[None]:
    """The test's own process hears signals as before once the worker in it has ended."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
def test_worker_told_to_stop_at_its_first_word_leaves_in_order(
    store: JobStore, context: WorkerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    beat, listed = QueueWorker.beat, []

    def beat_and_be_told(worker: QueueWorker) -> None:
        beat(worker)
        listed.append([each.state for each in workers(store.redis)])
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(QueueWorker, "beat", beat_and_be_told)
    QueueWorker(context, Settings()).serve()
    assert listed == [["idle"]]
    assert workers(store.redis) == []
    assert not store.redis.exists(*map(alive_key, context.queue.names))
