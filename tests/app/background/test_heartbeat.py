"""Who is at work says so, and is waited for; who is silent is not."""

from collections.abc import Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Event, Thread

import pytest

from app.background import heartbeat
from app.background.heartbeat import MOST_SILENT, beating, hear
from tests.support.server import PATIENCE_S

Ends = tuple[Connection, Connection]
NOBODY = 1 << 22
"""The number of no process, as Linux has none so large."""


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ends]:
    """Both ends of a way between who asks and who answers, for quick hearts."""
    monkeypatch.setattr(heartbeat, "BEAT_S", 0.01)
    monkeypatch.setattr(heartbeat, "LOOK_S", 0.02)
    asker, asked = Pipe()
    with asker, asked:
        yield asker, asked


def test_who_works_for_long_is_waited_for_as_long_as_the_heart_beats(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "LOOK_S", 1)
    asker, asked = ends
    enough, heard = Event(), list[None]()

    def work() -> None:
        with beating(asked):
            assert enough.wait(PATIENCE_S)
        asked.send("done")

    def going_on() -> None:
        heard.append(None)
        if len(heard) > 2 * MOST_SILENT:
            enough.set()

    worker = Thread(target=work)
    worker.start()
    assert hear(asker, NOBODY, going_on) == "done"
    worker.join(PATIENCE_S)
    # No beat comes after the answer.
    assert not asker.poll(0)


def test_who_says_nothing_is_given_up_after_so_many_looks(ends: Ends) -> None:
    looks = list[None]()
    with pytest.raises(TimeoutError, match="has done nothing"):
        hear(ends[0], NOBODY, lambda: looks.append(None))
    assert len(looks) == MOST_SILENT - 1


def test_who_computes_in_one_long_call_is_waited_for_until_stopped(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = list[None]()
    # It is stopped after so many looks.
    monkeypatch.setattr(heartbeat, "processor_ticks", lambda _: min(len(looks), 2 * MOST_SILENT))
    with pytest.raises(TimeoutError, match="has done nothing"):
        hear(ends[0], NOBODY, lambda: looks.append(None))
    assert len(looks) == 3 * MOST_SILENT


def test_who_beats_for_ever_is_given_up_too(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "LONGEST_S", 0)
    with beating(ends[1]), pytest.raises(TimeoutError, match="worked at one thing"):
        hear(ends[0], NOBODY)


def test_who_is_gone_is_not_waited_for(ends: Ends) -> None:
    ends[1].close()
    with pytest.raises(EOFError):
        hear(ends[0], NOBODY)


def test_a_heart_ends_quietly_when_nobody_hears_it(ends: Ends, recwarn: pytest.WarningsRecorder) -> None:
    over = Event()
    with beating(ends[1]):
        ends[0].close()
        assert not over.wait(0.1)
    assert [str(each.message) for each in recwarn] == []
