"""What a process writes to its log."""

import logging
from collections.abc import Iterator

import pytest

from worker.telemetry.logs import configure


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[logging.Logger]:
    """RQ's log of calls whose worker has died; the test's own log stays as it is."""
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)
    log = logging.getLogger("rq.registry")
    before = log.level
    log.setLevel(logging.NOTSET)
    yield log
    log.setLevel(before)


@pytest.mark.parametrize("level", ["debug", "info", "warning"])
def test_calls_that_a_worker_died_in_are_no_news(registry: logging.Logger, level: str) -> None:
    configure(level, "text")
    assert (registry.isEnabledFor(logging.WARNING), registry.isEnabledFor(logging.ERROR)) == (False, True)
