"""For each route the body that takes most: work and memory follow the body's bytes, and nothing else.

Counts stand for times: calls of functions for what Python does, bytes held for what numpy does at once.
docs/security.md has the seconds.
"""

import asyncio
import json
from itertools import islice, product
from typing import Any
from urllib.parse import urlencode

import pytest

from app.compat import nvidia
from tests.support.budgets import FrontEnd, Sent
from worker.jobs.costs import Work
from worker.jobs.estimates import Question
from worker.jobs.progress import SearchProgress, ShardProgress
from worker.jobs.redis_names import SEARCHES, SearchKeys
from worker.jobs.targets import DeviceTarget

CALLS, CALLS_A_BYTE = 120_000, 6
HELD, HELD_A_BYTE = 3_000_000, 20
CALLS_A_CHAIN = 700
"""Each chain of an MSA is a job, which is charged as a search."""
CALLS_AN_ITEM = 11_000
"""Of a batch: each item is submitted as a job of its own, and waited for."""
CALLS_A_SEQUENCE = 140
"""Of each that is sent from a database, 1,000 at most."""


def as_json(path: str, **fields: Any) -> Sent:
    return Sent(path, json.dumps(fields).encode())


def as_form(path: str, **fields: str) -> Sent:
    return Sent(path, urlencode(fields).encode(), "application/x-www-form-urlencoded")


SHORTEST = ">\nA\n" * 4400
PAIRS = {"queries": SHORTEST, "subjects": SHORTEST, "alphabet": "protein", "pairing": "all"}
LONG = ">a\n" + "ACGTTGCAAC" * 50_000
RECORDS = "".join(f">{number}\nA\n" for number in range(20_000))
SHORT, PROTEINS = ">\nMKVL\n" * 1000, "".join(f">{number}\n{'MKVLAAGWDE' * 2000}\n" for number in range(20))
CHAINS = "".join(
    f">{number}\n{''.join(each)}\n" for number, each in enumerate(islice(product("ACDEF", repeat=5), 1000))
)
NAMED = {"database": "small", "accessions": ["one", "two", "three", "four"] * 500}

WORST = {
    "estimate of the most pairs": (as_json("/v1/alignments:estimate", **PAIRS), 200),
    "the most pairs": (as_json("/v1/alignments", **PAIRS), 202),
    "as many short pairs": (as_json("/v1/alignments:estimate", **PAIRS | {"pairing": "zip"}), 200),
    "a long query with many": (as_json("/v1/alignments:estimate", **PAIRS | {"queries": LONG}), 200),
    "pairs line by line": (as_json("/v1/alignments:estimate", **PAIRS | {"queries": ">\nA \n\n" * 4400}), 200),
    "a long pair": (as_json("/v1/alignments:estimate", queries=LONG, subjects=LONG), 200),
    "pairs of a database": (
        as_json("/v1/alignments:estimate", queries=NAMED, subjects=NAMED, alphabet="protein", pairing="all"),
        200,
    ),
    "a long comparison": (as_json("/v1/comparisons:estimate", query=LONG, subject=LONG), 200),
    "many records": (as_json("/v1/comparisons:estimate", query=RECORDS, subject=RECORDS), 200),
    "short queries": (as_json("/v1/searches", sequence=SHORT, database="small"), 202),
    "estimate of short queries": (as_json("/v1/searches:estimate", sequence=SHORT, database="small"), 200),
    "long queries": (as_json("/v1/searches", sequence=PROTEINS, database="small", mask="seg"), 202),
    "blank lines": (as_json("/v1/searches", sequence=f">a\nA{chr(10) * 500_000}", database="small"), 202),
    "short lines": (as_json("/v1/searches", sequence=">a\n" + "A\n" * 50_000, database="small"), 202),
    "long names": (as_json("/v1/searches", sequence=f">{'x' * 500}\nA\n" * 1000, database="small"), 202),
    "a query in a form": (as_form("/v1/searches", sequence=PROTEINS, database="small"), 202),
    "lists in lists": (Sent("/v1/searches", b"[" * 500_000), 400),
    "long chains": (as_json("/v1/msas:estimate", queries=PROTEINS, databases=["small"]), 200),
    "a form that fills in ours": (as_form("/", sequence="<" * 87_000), 200),
    "NCBI's Put": (as_form("/Blast.cgi", CMD="Put", PROGRAM="blastp", DATABASE="small", QUERY=PROTEINS), 200),
    "a ticket": (as_form("/ticket", q=PROTEINS, mode="all", **{"database[]": "small"}), 200),
    "tickets": (Sent("/tickets", json.dumps([f"x{number}" for number in range(50_000)]).encode()), 200),
    "ids in a list": (Sent("/v1/searches?" + "&".join(f"id=abc{number}" for number in range(1000))), 200),
}


@pytest.mark.parametrize(("sent", "status"), WORST.values(), ids=WORST)
def test_work_follows_the_bodys_bytes(front_end: FrontEnd, sent: Sent, status: int) -> None:
    cost = front_end.cost(sent)
    assert cost.reply.status_code == status, cost.reply.text[:1000]
    assert cost.calls <= CALLS + CALLS_A_BYTE * sent.size
    assert cost.held <= HELD + HELD_A_BYTE * sent.size


@pytest.mark.parametrize(("path", "status"), [("/v1/msas:estimate", 200), ("/v1/msas", 202)])
def test_work_for_msas_follows_the_chains(front_end: FrontEnd, path: str, status: int) -> None:
    cost = front_end.cost(as_json(path, queries=CHAINS, databases=["small"]))
    assert cost.reply.status_code == status, cost.reply.text[:1000]
    assert cost.calls <= CALLS + CALLS_A_CHAIN * 1000
    assert cost.held <= 10_000_000


def test_work_for_sequences_of_a_database_follows_their_number(front_end: FrontEnd) -> None:
    cost = front_end.cost(as_json("/v1/databases/small/sequences:batchGet", accessions=["one", "two"] * 500))
    assert cost.reply.status_code == 200 and cost.reply.text.count(">") == 1000
    assert cost.calls <= CALLS + CALLS_A_SEQUENCE * 1000
    assert cost.held <= HELD


def test_work_for_a_batch_of_nvidias_follows_its_items(front_end: FrontEnd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvidia, "HELD_S", 0)
    # A tenth of the most: each item is a job, counted call by call.
    items = nvidia.MAX_BATCH // 10
    batch = ["".join(each) for each in islice(product("ACDEF", repeat=5), items)]
    path = "/biology/colabfold/msa-search/predict"
    cost = front_end.cost(as_json(path, sequence=batch, databases=["small"]))
    assert cost.reply.status_code == 200 and cost.reply.text.count("has not ended yet") == items
    assert cost.calls <= CALLS + CALLS_AN_ITEM * items
    assert cost.held <= HELD


@pytest.mark.parametrize("query", ["state=failed", "state=failed&page_size=1000", "state=queued&page_size=1"])
def test_work_for_a_page_does_not_follow_all_jobs(front_end: FrontEnd, query: str) -> None:
    async def create() -> str:
        async with front_end.client() as client:
            reply = await client.post("/v1/searches", json={"sequence": "MKVLAAGW", "database": "small"})
            return str(reply.json()["id"])

    search = asyncio.run(create())
    with front_end.redis.pipeline() as pipe:
        for number in range(3000):
            pipe.copy(SearchKeys(search).meta, SearchKeys(f"{search}{number}").meta)
            pipe.zadd(SEARCHES, {f"{search}{number}": 1.0 + number})
        pipe.execute()
    cost = front_end.cost(Sent(f"/v1/searches?{query}"))
    assert cost.reply.status_code == 200 and cost.reply.json()["next_page_token"]
    assert cost.calls <= CALLS
    assert cost.held <= HELD


def test_parts_that_have_not_begun_are_counted_and_not_listed() -> None:
    progress = SearchProgress({3: ShardProgress(0.5)}, frozenset({0, 1}), 1_000_000)
    left = Question(DeviceTarget(1_000_000), Work(1, 1), progress=progress).left(0)
    assert (left.begun, left.untouched, left.count) == ([ShardProgress(0.5)], 999_997, 999_998)
    assert progress.phase == "scoring"
