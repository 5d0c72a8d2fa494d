"""MSAs of a server in jobs of bounded size, told by one that does as it is told."""

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from shardwater.errors import DatabaseError
from shardwater.search.databases import DatabaseUsed
from shardwater.sequences.fasta import Record
from worker.cli.msa_outputs import Failed, WhichMsa
from worker.cli.msa_queries import Query
from worker.cli.remote import RemoteError
from worker.cli.remote_msas import MsasThere
from worker.cli.run_msa import request_of

LIMITS = {"max_queries": 3, "max_query_length": 10, "max_query_residues": 12, "max_body_bytes": 100_000}


class Service:
    """Answers as the interface does. A job with a chain that has a W fails; refuses: more chains than that are too many
    for the quota; away: requests to come that get no answer.
    """

    def __init__(self, refuses: int = 100, away: int = 0) -> None:
        self.refuses, self.away = refuses, away
        self.jobs = dict[str, dict[str, Any]]()
        self.log = list[str]()
        self.asked = list[list[str]]()

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST" and request.url.path.endswith(":cancel"):
            return self._cancel(request.url.path.removesuffix(":cancel").rpartition("/")[2])
        if request.method == "POST":
            return self._submit(json.loads(request.content))
        noun, *rest = request.url.path.split("/")[2:]
        if request.method == "DELETE":
            self.log.append(f"delete {rest[0]}")
            del self.jobs[rest[0]]
            return httpx.Response(204)
        return httpx.Response(200, json=self._told(noun, rest, request.url.query.decode()))

    def _told(self, noun: str, rest: list[str], query: str) -> object:
        match noun, rest:
            case "service-info", []:
                return {"limits": LIMITS}
            case "databases", [name]:
                return {"name": name, "version": "1", "checksum": "c", "more": 1}
            case "msas", []:
                return {"items": [*self.jobs.values()], "next_page_token": ""}
            case "msas", [job]:
                return self.jobs[job] | self._end(job)
        assert rest[1:] == ["results"]
        return f"{rest[0]} {query}"

    def _submit(self, body: dict[str, Any]) -> httpx.Response:
        if self.away:
            self.away -= 1
            raise httpx.ConnectError("away")
        chains = [chain for one in body["queries"] for chain in one["chains"]]
        if len(chains) > self.refuses:
            detail = {"detail": "2 searches are left"}
            return httpx.Response(429, json=detail, headers={"Retry-After": "0"})
        self.asked.append(chains)
        job = f"msa-{len(self.asked)}"
        links = {"self": f"/v1/msas/{job}", "results": f"/v1/msas/{job}/results", "cancel": f"/v1/msas/{job}:cancel"}
        told = {"id": job, "state": "queued", "progress": 0.5, "phase": None, "estimate_s": 1, "title": body["title"]}
        self.jobs[job] = {**told, "links": links, "chains": chains}
        self.log.append(f"submit {job}")
        return httpx.Response(202, json=self.jobs[job])

    def _cancel(self, job: str) -> httpx.Response:
        self.log.append(f"cancel {job}")
        return httpx.Response(202, json=self.jobs[job])

    def _end(self, job: str) -> dict[str, Any]:
        if any("W" in chain for chain in self.jobs[job]["chains"]):
            return {"state": "failed", "error": {"detail": "chain 1: broken"}}
        return {"state": "succeeded", "error": None}


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=lambda _: None)
    monkeypatch.setattr("worker.cli.remote.time", clock)
    monkeypatch.setattr("worker.cli.remote_msas.time", clock)


def msas(service: Service, **fields: object) -> MsasThere:
    http = httpx.Client(base_url="http://server", transport=httpx.MockTransport(service))
    return MsasThere(http, request_of({"databases": "demo", **fields}))


def query(number: int, *chains: str) -> Query:
    return Query(number, f"q{number}", tuple(Record(f"{number}", one.encode()) for one in chains))


def made(service: Service, queries: Sequence[Query]) -> list[str]:
    """Each query's number, with the job and the chain that its first MSA is asked for, or why there is none."""
    found = []
    for one in msas(service).made(queries, lambda _: None, "run"):
        said = one.reason if isinstance(one, Failed) else json.loads(b"".join(one.written(WhichMsa(1), "a3m")))
        found.append(f"{one.query.number} {said}")
    return found


def test_jobs_are_bounded_and_removed_when_they_are_done_with() -> None:
    service = Service()
    queries = [query(1, "MK"), query(2, "MKL", "MKV"), query(3, "MMMMMM"), query(4, "MMMMMMM"), query(5, "MK")]
    assert made(service, queries) == [
        "1 msa-1 format=a3m&chain=1",
        "2 msa-1 format=a3m&chain=2",
        "3 msa-2 format=a3m&chain=1",
        "4 msa-3 format=a3m&chain=1",
        "5 msa-3 format=a3m&chain=2",
    ]
    assert service.asked[0] == [">1\nMK", ">2\nMKL", ">2\nMKV"]
    # All are under way before the first one is waited for.
    assert service.log == [*(f"submit msa-{job}" for job in (1, 2, 3)), *(f"delete msa-{job}" for job in (1, 2, 3))]


def test_what_is_too_large_is_told_in_its_place() -> None:
    service = Service()
    assert made(service, [query(1, "M" * 11), query(2, "MK"), query(3, *["M"] * 4), query(4, "M" * 7, "M" * 7)]) == [
        "1 it has 11 residues in a chain, the server takes 10",
        "2 msa-1 format=a3m&chain=1",
        "3 it has 4 chains, the server takes 3",
        "4 it has 14 residues, the server takes 12",
    ]
    assert service.asked == [[">2\nMK"]]
    assert made(Service(), [query(1, "M" * 11)]) == ["1 it has 11 residues in a chain, the server takes 10"]


def test_one_that_fails_is_found_and_the_others_are_made() -> None:
    service = Service()
    assert made(service, [query(1, "MK"), query(2, "WW"), query(3, "ML"), query(4, "MI")]) == [
        "1 msa-3 format=a3m&chain=1",
        "2 the search failed: chain 1: broken",
        "3 msa-6 format=a3m&chain=1",
        "4 msa-2 format=a3m&chain=1",
    ]
    assert service.jobs == {}


def test_a_quota_smaller_than_a_job_is_used_in_smaller_ones() -> None:
    service = Service(refuses=1)
    queries = [query(number, "MK") for number in range(1, 5)]
    assert [line[0] for line in made(service, queries)] == ["1", "2", "3", "4"]
    assert [len(chains) for chains in service.asked] == [1, 1, 1, 1]
    assert service.jobs == {}


def test_a_server_that_is_away_is_waited_for_with_the_same_job() -> None:
    service = Service(away=3)
    assert made(service, [query(1, "MK"), query(2, "ML")])[1] == "2 msa-1 format=a3m&chain=2"


def test_jobs_under_way_are_cancelled_where_the_command_is_interrupted() -> None:
    service = Service()
    coming = msas(service).made([query(number, "M" * 9) for number in range(1, 13)], lambda _: None, "run")
    assert next(coming).query.number == 1
    under_way = [f"msa-{number}" for number in range(1, 11)]
    assert list(service.jobs) == under_way
    coming.close()
    # They are not removed: what chains have is there for the same command.
    assert list(service.jobs) == under_way
    assert sorted(service.log[10:]) == sorted(f"cancel {job}" for job in under_way)


def test_jobs_under_way_are_removed_where_the_command_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service()
    coming = msas(service).made([query(number, "M" * 9) for number in range(1, 9)], lambda _: None, "run")
    assert next(coming).query.number == 1

    def failing(_: str) -> dict[str, Any]:
        raise DatabaseError("gone")

    monkeypatch.setattr(service, "_end", failing)
    with pytest.raises(DatabaseError):
        next(coming)
    assert service.jobs == {}


def test_jobs_are_small_so_that_what_is_done_is_written_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {name: 100 * most for name, most in LIMITS.items()}
    monkeypatch.setattr("tests.worker.cli.test_remote_msas.LIMITS", limits)
    service = Service()
    assert len(made(service, [query(number, "MK") for number in range(1, 46)])) == 45
    assert [len(chains) for chains in service.asked] == [20, 20, 5]


@pytest.mark.parametrize("waits", [True, False])
def test_a_part_of_a_job_that_has_failed_is_cancelled_where_the_command_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    service = Service()
    coming = msas(service).made([query(number, "WM") for number in range(1, 5)], lambda _: None, "run")
    end = service._end

    def ending(job: str) -> dict[str, Any]:
        if job != "msa-3":
            return end(job)
        if waits:
            raise KeyboardInterrupt
        return {"state": "succeeded", "error": None}

    monkeypatch.setattr(service, "_end", ending)
    if waits:
        with pytest.raises(KeyboardInterrupt):
            next(coming)
    else:
        assert next(coming).query.number == 1
        coming.close()
    assert service.asked[2] == [">1\nWM"]
    assert list(service.jobs) == ["msa-2", "msa-3"]
    assert sorted(service.log[-2:]) == ["cancel msa-2", "cancel msa-3"]


def test_what_a_killed_run_has_left_is_removed_and_nothing_else() -> None:
    service = Service()
    there = msas(service)
    for run in ("run", "other"):
        coming = there.made([query(1, "MK")], lambda _: None, run)
        next(coming)
        coming.close()
        there._submitted([query(1, "MK")], 0, run)
    there.clear("run")
    assert [job["title"] for job in service.jobs.values()] == ["shardwater msa other, queries 1 to 1"] * 2


def test_the_request_and_what_is_wanted_are_those_of_the_interface() -> None:
    service = Service()
    there = msas(service, then="more", pairing="complete", evalue=1.0)
    assert there.databases == [[DatabaseUsed("demo", "1", "c")], [DatabaseUsed("more", "1", "c")]]
    [one] = there.made([query(1, "MK", "ML")], lambda _: None, "run")
    assert not isinstance(one, Failed)
    asked = [
        json.loads(b"".join(one.written(wanted, "m8"))) for wanted in (WhichMsa(2, then=True), WhichMsa(2, pairs=True))
    ]
    assert asked == ["msa-1 format=m8&chain=2&of=then", "msa-1 format=m8&chain=2&pairs=true"]


def test_a_refusal_ends_the_command() -> None:
    def refusing(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(507, json={"detail": "the disk is full"})
        return Service()(request)

    http = httpx.Client(base_url="http://server", transport=httpx.MockTransport(refusing))
    there = MsasThere(http, request_of({"databases": "demo"}))
    with pytest.raises(RemoteError, match="the disk is full"):
        list(there.made([query(1, "MK")], lambda _: None, "run"))
