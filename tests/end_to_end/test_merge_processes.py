"""Merging processes of a real service, stopped and killed: nothing waits for them for ever, and none is left behind."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import launchers, merging_processes
from tests.support.server import FASTA, Server, make_database, running, until

MANY = "".join(f">q{number}\nMKVLAAGWDEHHKLMNPQRS\n" for number in range(700))
"""A search of so many may have so many hits that a process is made ready for them."""
MOST_S = 10.0
"""In this a request is answered: sooner than a hanging process is noticed."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "proteins.fasta").write_text(FASTA)
    make_database(tmp_path / "proteins.fasta", tmp_path / "data", shards=1)
    with running(Server(tmp_path / "data")) as server:
        yield server


def post(served: Server, kind: str, **fields: object) -> str:
    """Where a new job is."""
    with served.http as http:
        answer = http.post(f"/v1/{kind}", json=fields, headers={"Cache-Control": "no-cache"}, timeout=MOST_S)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["links"]["self"])


def search(served: Server) -> str:
    return post(served, "searches", sequence=MANY, database="demo", max_target_seqs=3)


def msa(served: Server) -> str:
    return post(served, "msas", queries="MKVLAAGWDEHHKLMNPQRS", databases=["demo"])


def expected(served: Server, front_end: int) -> int:
    """The process that is made ready for a search's result, which is not needed any more."""
    job = search(served)
    until(lambda: merging_processes(front_end))
    with served.http as http:
        http.post(f"{job}:cancel")
        until(lambda: http.get(job).json()["state"] in ("cancelled", "succeeded"))
    [process] = merging_processes(front_end)
    return process


def until_succeeded(served: Server, job: str) -> None:
    with served.http as http:
        until(lambda: http.get(job).json()["state"] not in ("queued", "running"))
        assert http.get(job).json()["state"] == "succeeded"


def test_processes_that_are_stopped_and_killed_delay_results_and_lose_none(served: Server) -> None:
    [front_end] = served.pids("app")
    stopped = expected(served, front_end)
    os.kill(stopped, signal.SIGSTOP)
    until_succeeded(served, msa(served))
    assert stopped not in merging_processes(front_end)
    killed, [launcher] = expected(served, front_end), launchers(front_end)
    os.kill(launcher, signal.SIGSTOP)
    os.kill(killed, signal.SIGKILL)
    job, another = search(served), msa(served)
    until_succeeded(served, another)
    until_succeeded(served, job)
    until(lambda: launcher not in launchers(front_end))
    assert served.pids("app") == [front_end]
    silent = [line for line in served.lines if "lives but has done nothing" in line]
    assert [f"process {pid}," in line for pid, line in zip((stopped, launcher), silent, strict=True)] == [True, True]


@pytest.mark.parametrize("ended", [signal.SIGTERM, signal.SIGKILL])
def test_none_is_left_when_the_service_ends(served: Server, ended: signal.Signals) -> None:
    [front_end] = served.pids("app")
    search(served)
    until(lambda: merging_processes(front_end))
    theirs = [*launchers(front_end), *merging_processes(front_end)]
    for pid in theirs:
        os.kill(pid, signal.SIGSTOP)
    if ended is signal.SIGKILL:
        os.kill(front_end, ended)
    assert served.stop() == 0
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in theirs))
    assert not any("shutdown failed" in line for line in served.lines)
