"""Quotas: charged for new work alone, all or nothing, and told as they stand."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from redis import Redis

from shardwater.errors import LimitExceeded
from tests.support.guarded import LIMITS, QUERY, Guarded, search, standing
from tests.support.problems import problem as problem_document
from tests.support.server import PATIENCE_S, Server, running, until
from worker.jobs.quotas import WINDOW_S, Charge, QuotaExceeded
from worker.supervision.valkey import EmbeddedValkey

RESIDUES = 59
"""Of the small database."""
CELLS = 20 * RESIDUES
"""Of QUERY on it."""
LONG = f">long\n{'MKVLAAGWDE' * 4900}\n"
LONG_CELLS = 49_000 * RESIDUES


def problem(response: httpx.Response, status: int, name: str) -> dict[str, object]:
    """The problem document, of a reply that may be sent again after a while."""
    body: dict[str, object] = response.json()
    assert (response.status_code, body["type"]) == (status, f"urn:shardwater:problem:{name}"), body
    assert response.headers["Content-Type"] == "application/problem+json"
    assert body["retryable"] is (status in (429, 503))
    return body


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    embedded = EmbeddedValkey(tmp_path)
    with Redis.from_url(embedded.start()) as connection:
        yield connection
    embedded.stop()


def charge(redis: Redis, cells: int, account: str = "lab") -> Charge:
    return Charge(redis, account, {"searches": 1, "cells": cells}, {"searches": 3, "cells": 100})


def left(one: Charge) -> list[int]:
    return [standing.left for standing in one.standings]


def test_charge_is_taken_once_and_given_back_once(redis: Redis) -> None:
    first = charge(redis, 60)
    first.take()
    first.take()
    assert left(first) == [2, 40]
    assert all(0 < (standing.reset_s or 0) <= WINDOW_S for standing in first.standings)
    first.give_back()
    first.give_back()
    assert left(first) == [3, 100]


def test_quota_that_is_passed_charges_nothing_at_all(redis: Redis) -> None:
    charge(redis, 60).take()
    with pytest.raises(QuotaExceeded) as caught:
        charge(redis, 41).take()
    assert (caught.value.refused.name, caught.value.refused.left) == ("cells", 40)
    last = charge(redis, 40)
    last.take()
    assert left(last) == [1, 0]
    charge(redis, 100, "another").take()


def test_more_than_a_whole_hour_is_a_limit(redis: Redis) -> None:
    with pytest.raises(LimitExceeded) as caught:
        charge(redis, 101).take()
    assert (caught.value.name, caught.value.limit, caught.value.actual) == ("cells_per_hour", 100, 101)


def test_window_ends_by_itself(redis: Redis) -> None:
    for _ in range(3):
        charge(redis, 1).take()
    windows = list(redis.scan_iter("shardwater:quota:*"))
    for name in windows:
        assert redis.pexpire(name, 1)
    until(lambda: not redis.exists(*windows))
    again = charge(redis, 1)
    again.take()
    assert left(again) == [2, 99]


def test_many_at_once_get_what_there_is(redis: Redis) -> None:
    outcomes: list[bool] = []
    gate = threading.Barrier(12)

    def attempt() -> None:
        gate.wait()
        try:
            charge(redis, 30).take()
            outcomes.append(True)
        except QuotaExceeded:
            outcomes.append(False)

    threads = [threading.Thread(target=attempt) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [False] * 9 + [True] * 3


def told(reply: httpx.Response) -> dict[str, int]:
    """What RateLimit says is left, of a reply whose policy is the one that was set."""
    assert reply.headers["RateLimit-Policy"] == '"searches";q=3;w=3600, "megacells";q=3;w=3600'
    found = re.fullmatch(
        r'"searches";r=(\d+)(?:;t=(\d+))?, "megacells";r=(\d+)(?:;t=(\d+))?', reply.headers["RateLimit"]
    )
    assert found
    assert all(0 < int(seconds) <= WINDOW_S for seconds in (found[2], found[4]) if seconds)
    return {"searches": int(found[1]), "megacells": int(found[3])}


def test_only_new_work_is_charged(limited: Guarded) -> None:
    http = limited.client("frugal")
    body = {"sequence": QUERY, "database": "demo"}
    before = http.post("/v1/searches:estimate", json=body)
    assert before.json()["quota_cost"] == CELLS
    assert told(search(http)) == {"searches": 2, "megacells": 2}
    assert http.post("/v1/searches:estimate", json=body).json()["quota_cost"] == 0
    for _ in range(3):
        assert told(search(http)) == {"searches": 2, "megacells": 2}
    assert search(http, "MK@").status_code == 422
    assert search(http, database="none").status_code == 422
    keyed = {"Idempotency-Key": '"again"', "Cache-Control": "no-cache"}
    replies = [http.post("/v1/searches", json=body, headers=keyed) for _ in range(3)]
    assert [told(reply)["searches"] for reply in replies] == [1, 1, 1]


def test_used_up_quota_is_429_and_says_when_it_is_new(limited: Guarded) -> None:
    http = limited.client("greedy")
    done = [search(http, title=str(number)) for number in range(3)]
    assert [told(reply)["searches"] for reply in done] == [2, 1, 0]
    refused = search(http, title="one more")
    assert "searches" in str(problem(refused, 429, "quota-exceeded")["detail"])
    assert told(refused)["searches"] == 0
    assert 0 < int(refused.headers["Retry-After"]) <= WINDOW_S
    # What is there costs nothing.
    assert search(http, title="1").status_code == 200
    assert search(limited.client("greedy"), title="another key").status_code == 429
    assert search(limited.client("other"), title="one more").status_code == 200


def test_cells_are_counted_and_too_many_for_any_hour_are_a_limit(limited: Guarded) -> None:
    http = limited.client("large")
    assert told(search(http, LONG)) == {"searches": 2, "megacells": 0}
    refused = search(http, LONG, title="again")
    assert "cells" in str(problem(refused, 429, "quota-exceeded")["detail"])
    assert told(refused) == {"searches": 2, "megacells": 0}
    body = problem_document(search(http, f"{LONG}{LONG.replace('long', 'longer')}"), 413, "limit-exceeded")
    assert (body["limit"], body["actual"]) == (LIMITS["cells"], 2 * LONG_CELLS)


def test_each_new_chain_is_charged_and_all_of_them_or_none(limited: Guarded) -> None:
    http = limited.client("chains")

    def asked(*chains: str, iterations: int = 1) -> httpx.Response:
        return http.post(
            "/v1/msas", json={"queries": [{"chains": chains}], "databases": ["demo"], "iterations": iterations}
        )

    assert told(asked("MKVL", "AAGW"))["searches"] == 1
    # The same once more is free; a list of its own whose chains are there costs one, as test_msa.py has it.
    assert told(asked("MKVL", "AAGW"))["searches"] == 1
    refused = asked("MKVL", "WWWW", "CCCC")
    problem(refused, 429, "quota-exceeded")
    assert told(refused)["searches"] == 1
    assert told(asked("MKVL", "WWWW"))["searches"] == 0
    # Each round counts, and what is there does not.
    estimate = {"queries": [{"chains": ["MKVL", "WW"]}], "databases": ["demo"], "iterations": 1}
    assert http.post("/v1/msas:estimate", json=estimate).json()["quota_cost"] == 2 * RESIDUES
    body = problem(asked("M" * 30_000, iterations=3), 413, "limit-exceeded")
    assert (body["limit"], body["actual"]) == (LIMITS["cells"], 3 * 30_000 * RESIDUES)


def test_genomes_are_charged_by_letters_and_strands_and_their_stretches_by_cells(limited: Guarded) -> None:
    http = limited.client("genomes")
    genome = f">g\n{'ACGTTGCATTGACCAG' * 25}\n"
    body = {"query": genome, "subject": genome}
    assert http.post("/v1/comparisons:estimate", json=body).json()["quota_cost"] == 1000 * 2 * (400 + 400)
    done = http.post("/v1/comparisons", json=body)
    assert told(done) == {"searches": 2, "megacells": 1}
    refused = http.post("/v1/comparisons", json={**body, "title": "again"})
    assert "cells" in str(problem(refused, 429, "quota-exceeded")["detail"])
    # 160,000 cells each.
    place, stretch = f"/v1/comparisons/{done.json()['id']}:align", {"record": "g", "from": 1, "to": 400}
    asked = [{"query": stretch, "subject": stretch, "strand": strand} for strand in ("+", "-")]
    assert [told(http.post(place, json=each)) for each in asked] == [
        {"searches": 1, "megacells": 1}, {"searches": 0, "megacells": 1},
    ]  # fmt: skip
    problem(http.post(place, json={**asked[0], "match": 9}), 429, "quota-exceeded")


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("/Blast.cgi", {"CMD": "Put", "PROGRAM": "blastp", "DATABASE": "demo", "QUERY": QUERY}, 200),
        ("/rest/ncbiblast/run", {"email": "a@b", "stype": "protein", "database": "demo", "sequence": QUERY}, 429),
        ("/ticket", {"q": QUERY, "mode": "all", "database[]": "demo"}, 429),
    ],
)
def test_older_interfaces_are_charged_too(limited: Guarded, path: str, form: dict[str, str], status: int) -> None:
    http = limited.client(f"old{path.replace('/', '-')}")
    for number in range(3):
        assert search(http, title=f"before {number}").status_code == 200
    refused = http.post(path, data={**form, "program": "blastp"})
    assert (refused.status_code, "searches are asked for" in refused.text) == (status, True), refused.text
    assert 0 < int(refused.headers["Retry-After"]) <= WINDOW_S


def test_streams_are_bounded_for_each_owner_and_in_all(limited: Guarded) -> None:
    one, two, three = (limited.client(name) for name in ("one", "two", "three"))
    with standing(limited.server):
        found = [search(http, wait=None, title="streamed").json()["id"] for http in (one, two, three)]
        places = [f"/v1/searches/{each}/events" for each in found]
        with one.stream("GET", places[0]) as first, two.stream("GET", places[1]) as second:
            assert (first.status_code, second.status_code) == (200, 200)
            problem(one.get(places[0]), 429, "quota-exceeded")
            problem(three.get(places[2]), 503, "service-unavailable")
        # The places are free as soon as those who had them have left.
        status = 503
        while status != 200:
            with three.stream("GET", places[2]) as third:
                status = third.status_code


def test_scores_that_are_kept_are_charged_by_their_bytes(small: Path) -> None:
    # Of four subjects, 16 bytes a query.
    environment = {"SHARDWATER_SCORE_BYTES_PER_HOUR": "40"}
    with running(Server(small, environment=environment)) as server, server.http as http:

        def told(title: str, queries: int = 1, **fields: str) -> tuple[int, str]:
            text = "".join(f">q{number}\nMKVLAAGW\n" for number in range(queries))
            reply = search(http, text, title=title, **fields)
            assert reply.headers["RateLimit-Policy"] == '"score_bytes";q=40;w=3600'
            return reply.status_code, reply.headers["RateLimit"].split(";t=")[0]

        assert told("a") == (200, '"score_bytes";r=40')
        assert told("b", scores="all") == (200, '"score_bytes";r=24')
        assert told("b", scores="all") == (200, '"score_bytes";r=24')
        assert told("c", 2, scores="all") == (429, '"score_bytes";r=24')
        assert told("d", scores="all") == (200, '"score_bytes";r=8')
        body = problem(search(http, ">q\nMK\n" * 3, scores="all"), 413, "limit-exceeded")
        assert (body["limit"], body["actual"]) == (40, 48)


def test_without_keys_an_address_is_an_account(small: Path) -> None:
    environment = {"SHARDWATER_SEARCHES_PER_HOUR": "1", "SHARDWATER_TRUSTED_PROXIES": "127.0.0.0/8"}
    with running(Server(small, environment=environment)) as server, server.http as http:

        def status(title: str, forwarded: str) -> int:
            body = {"sequence": QUERY, "database": "demo", "title": title}
            headers = {"X-Forwarded-For": forwarded, "Prefer": f"wait={PATIENCE_S}"}
            return http.post("/v1/searches", json=body, headers=headers).status_code

        assert status("a", "203.0.113.7") == 200
        assert status("b", "203.0.113.7") == 429
        # What a client writes before its own address is no address.
        assert status("c", "198.51.100.1, 203.0.113.7") == 429
        assert status("d", "203.0.113.7, 198.51.100.1") == 200
        assert status("e", "2001:db8::1") == 200
        assert status("f", "2001:db8::2") == 429
        assert status("a", "198.51.100.1") == 200
