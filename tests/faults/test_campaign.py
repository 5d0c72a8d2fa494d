"""What is accepted is answered, and rightly, whatever is done to the service; `benchmarks/faults.py` has all of it."""

import gzip
import re
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace

import httpx
import pytest

from shardwater import software as module
from shardwater.sequences.fasta import read_fasta
from tests.faults.campaign import Fault, Harm, Outcome, calm_run, run_campaign, until_ready
from tests.faults.harms import DAMAGED, change_bytes
from tests.faults.killing import DATA_LOST, kill, kill_one_worker, lose_data, stop
from tests.faults.places import ROOT, plain
from tests.faults.searches import Caller, Search, make_searches
from tests.faults.service import EVERYTHING, SERVERS, Apart, Service

SEED = 1
HARMED = 1


def in_turn(*harms: Harm) -> Harm:
    """One of them each time."""
    left = list(harms)

    def harm(service: Service, random: Random) -> int:
        return left.pop(0)(service, random)

    return harm


def corrupt(service: Service, random: Random) -> int:
    """For some seconds: what searches wait for that long is not given up."""
    return change_bytes(service, random, longest_s=3)


CASES = {
    "processes": (None, (kill_one_worker, kill(*EVERYTHING), stop(*SERVERS))),
    "data": (re.compile(f"{DATA_LOST.pattern}|{DAMAGED.pattern}"), (lose_data, corrupt)),
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, "Future[Outcome]"]:
    """What comes of each case. They run at the same time, since each mostly waits until a harm is noticed."""
    with ThreadPoolExecutor(len(CASES)) as pool:
        return {case: pool.submit(_outcome, case, tmp_path_factory.mktemp(case)) for case in CASES}


def _outcome(case: str, folder: Path) -> Outcome:
    reason, harms = CASES[case]
    records = read_fasta(gzip.decompress((ROOT / "demo" / "proteins.fasta.gz").read_bytes()))[:150]
    searches = make_searches(records, SEED, len(harms) * HARMED)
    fault = Fault(case, in_turn(*harms), reason)
    with plain(folder / "data", records) as service:
        until_ready(service)
        calm = calm_run(service, searches)
        return run_campaign(fault, service, searches, calm, Random(SEED), HARMED)


# Half a minute, most of it until the supervisor kills what was stopped.
@pytest.mark.parametrize("case", CASES)
def test_nothing_is_lost_or_wrong(outcomes: dict[str, "Future[Outcome]"], case: str) -> None:
    outcome, harms = outcomes[case].result(), len(CASES[case][1])
    assert len(outcome.told) == harms * HARMED + harms
    assert outcome.faults == []
    assert outcome.deleted.total() > 0
    assert outcome.struck >= harms


def test_all_processes_name_one_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "HEAD").write_text(f"{'a' * 40}\n")
    monkeypatch.delenv("SHARDWATER_COMMIT", raising=False)
    monkeypatch.setattr(module, "GIT", tmp_path)
    module.software.cache_clear()
    try:
        service = Service(tmp_path)
        named = [service.environment_of(Apart(()))["SHARDWATER_COMMIT"]]
        (tmp_path / "HEAD").write_text(f"{'b' * 40}\n")
        named.append(service.environment_of(Apart(()))["SHARDWATER_COMMIT"])
    finally:
        module.software.cache_clear()
    assert named == ["a" * 40, "a" * 40]


def test_search_whose_result_never_comes_has_not_succeeded(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = Caller("http://127.0.0.1", [])

    def answer(method: str, path: str, body: object = None) -> httpx.Response | None:
        if path.endswith("/results"):
            return None
        return httpx.Response(HTTPStatus.OK, json={"id": "ID", "state": "succeeded", "error": None})

    monkeypatch.setattr(caller, "send", answer)
    monkeypatch.setattr("tests.faults.searches.time", SimpleNamespace(monotonic=count().__next__))
    told = caller.run(Search("one", ">q\nMKV\n"), patience_s=10)
    caller.close()
    assert (told.state, told.ids, told.result) == ("accepted", ["ID"], b"")
