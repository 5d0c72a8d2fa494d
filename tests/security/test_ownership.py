"""Another owner's search is as one that never was: on every route, before and after its time is over."""

import hashlib
import re
import time
from dataclasses import dataclass

import httpx
import pytest

from app.compat.names import rid_of
from app.compat.ncbi.routes import HELD_S
from shardwater.scoring.scoring import FOLDER
from tests.support.guarded import QUERY, Guarded, search, standing
from tests.support.owned import PLACES
from tests.support.problems import problem
from tests.support.pssms import pssm_json
from tests.support.routes import routes
from tests.support.server import until
from worker.jobs.redis_names import SearchKeys

NEVER = "Never-was_a_search_0000A"
NEVER_VERIFICATION = f"verification-{'W' * 34}"
NEVER_ALIGNMENT = f"alignment-{'W' * 34}"
NEVER_COMPARISON = f"comparison-{'W' * 34}"
NEVER_MSAS = f"msa-{'V' * 34}"
NEVER_UPLOAD = f"upload-{'W' * 34}"
NEVER_MATRIX = f"matrix-{'0' * 32}"
NEVER_RID = rid_of(NEVER)
NEVER_MSA_TICKET = f"msa-{'W' * 34}.et"
NEVER_TICKET = hashlib.sha224(NEVER.encode()).hexdigest()[:38]
NAMES = {
    "verification": NEVER_VERIFICATION,
    "alignment": NEVER_ALIGNMENT,
    "comparison": NEVER_COMPARISON,
    "msas": NEVER_MSAS,
    "upload": NEVER_UPLOAD,
    "matrix": NEVER_MATRIX,
    "rid": NEVER_RID,
    "ticket": NEVER_TICKET,
    "msa_ticket": NEVER_MSA_TICKET,
}
MATRIX = (FOLDER / "PAM30.txt").read_bytes()
PAIR = {"queries": QUERY, "subjects": ">s\nMKVLAAGWDEHKLMNPQRS\n"}
CHAINS = {"queries": [{"chains": [QUERY, "MKVLAAGW"]}], "databases": ["demo"], "pairing": "complete"}
GENOMES = {"query": f">q\n{'ACGTTGCATTGACCAG' * 8}\n", "subject": f">s\n{'ACGTTGCATTGACCAG' * 8}\n"}


@dataclass(frozen=True)
class Theirs:
    """What one owner has: a search of each interface, done, a verification, an upload and a matrix."""

    http: httpx.Client
    search: str
    verification: str
    alignment: str
    comparison: str
    msas: str
    upload: str
    matrix: str
    rid: str
    ticket: str
    msa_ticket: str


@pytest.fixture(scope="module")
def theirs(guarded: Guarded) -> Theirs:
    http = guarded.client("lab")
    # What the query would be in FASTA: other interfaces show that.
    profile = pssm_json("MKVLAAGWDEHHKLMNPQRS", title="q")
    found = search(http, title="theirs", scores="all", score_distribution=True, pssm=profile).json()["search"]
    form = {"CMD": "Put", "PROGRAM": "blastp", "DATABASE": "demo", "QUERY": QUERY}
    [rid] = re.findall(r"RID = (\S+)", http.post("/Blast.cgi", data=form).text)
    ticket = http.post("/ticket", data={"q": QUERY, "mode": "all", "database[]": "demo"}).json()["id"]
    msa_ticket = http.post("/ticket/msa", data={"q": QUERY, "mode": "env"}).json()["id"]
    assert http.get(f"/Blast.cgi?CMD=Get&RID={rid}").status_code == 200
    for each in (ticket, msa_ticket):
        until(lambda each=each: http.get(f"/ticket/{each}").json()["status"] == "COMPLETE")
    verified = http.post(f"/v1/searches/{found}:verify", headers={"Prefer": "wait=60"}).json()
    assert verified["report"]["equal"] is True
    upload = http.post("/v1/uploads", content=QUERY.encode()).json()["id"]
    matrix = http.post("/v1/matrices", content=MATRIX, headers={"Content-Type": "text/plain"}).json()["id"]
    aligned = http.post("/v1/alignments", json=PAIR, headers={"Prefer": "wait=60"}).json()
    compared = http.post("/v1/comparisons", json=GENOMES, headers={"Prefer": "wait=60"}).json()
    msas = http.post("/v1/msas", json=CHAINS).json()["id"]
    until(lambda: http.get(f"/v1/msas/{msas}").json()["state"] == "succeeded")
    jobs = (found, verified["id"], aligned["id"], compared["id"], msas)
    return Theirs(http, *jobs, upload, matrix, rid, ticket, msa_ticket)


@pytest.fixture(scope="module")
def stranger(guarded: Guarded) -> httpx.Client:
    return guarded.client("other")


def asked(http: httpx.Client, method: str, place: str, **names: str) -> tuple[int, str, dict[str, str]]:
    """A reply with the names of what was asked for, and of the request, taken out."""
    reply = http.request(method, place.format(**names))
    text = reply.text
    headers = {name: value for name, value in reply.headers.items() if name not in ("date", "x-request-id")}
    for kind, name in [*names.items(), ("request", reply.headers["X-Request-ID"])]:
        text = text.replace(name, f"<{kind}>")
        headers = {header: value.replace(name, f"<{kind}>") for header, value in headers.items()}
    return reply.status_code, text, headers


def never(http: httpx.Client, method: str, place: str, like: str) -> tuple[int, str, dict[str, str]]:
    """The reply for names that never were, the search's as long as a real one."""
    return asked(http, method, place, search=NEVER[:1] * len(like), **NAMES)


def of(theirs: Theirs) -> dict[str, str]:
    return {name: getattr(theirs, name) for name in ("search", *NAMES)}


def test_places_are_all_there_are() -> None:
    held = {re.sub(r"(ncbiblast-)?\{\w+\}|\?.*", "*", place).partition("*?")[0] for _, place in PLACES}
    named = {
        path
        for _, path in routes()
        if re.search(r"\{(search|verification|alignment|comparison|msas|upload|matrix|job|ticket)\}", path)
    }
    patterns = {re.sub(r"\{\w+\}", "[^/]+", re.sub(r"\{tool_name\}", "ncbiblast", path)) for path in named}
    unheld = [pattern for pattern in patterns if not any(re.fullmatch(pattern, place) for place in held)]
    assert len(named) > 15
    assert unheld == []


@pytest.mark.parametrize(("method", "place"), PLACES)
def test_anothers_search_is_as_one_that_never_was(
    theirs: Theirs, stranger: httpx.Client, method: str, place: str
) -> None:
    assert asked(stranger, method, place, **of(theirs)) == never(stranger, method, place, theirs.search)


def test_owner_still_has_it_all(theirs: Theirs) -> None:
    for method, place in PLACES:
        if method in ("GET", "HEAD") and "Delete" not in place:
            status, text, _ = asked(theirs.http, method, place, **of(theirs))
            assert status == 200, (place, text)
            assert (status, text) != never(theirs.http, method, place, theirs.search)[:2] or method == "HEAD", place


def test_expired_search_is_known_to_its_owner_alone(guarded: Guarded, stranger: httpx.Client) -> None:
    owner = guarded.client("lab")
    found = search(owner, title="to expire").json()["search"]
    # As Redis does at the end of its time.
    guarded.server.redis.delete(*SearchKeys(found).data)
    place = f"/v1/searches/{found}"
    problem(owner.get(place), 410, "expired")
    problem(guarded.client("boss", "admin").get(place), 410, "expired")
    for method, each in PLACES:
        if "{search}" in each:
            assert asked(stranger, method, each, search=found, **NAMES) == never(stranger, method, each, found), each
    problem(owner.get(place), 410, "expired")


def test_lists_hold_ones_own(guarded: Guarded, theirs: Theirs) -> None:
    http = guarded.client("lister")
    mine = [search(http, title=title).json()["search"] for title in ("a", "b", "c")]
    page = http.get("/v1/searches")
    assert ([item["id"] for item in page.json()["items"]], page.headers["X-Total-Results"]) == (mine[::-1], "3")
    first = http.get("/v1/searches?page_size=2").json()
    rest = http.get(f"/v1/searches?page_size=2&page_token={first['next_page_token']}").json()
    assert [item["id"] for item in first["items"] + rest["items"]] == mine[::-1]
    named = http.get("/v1/searches", params={"id": [mine[0], theirs.search, NEVER]})
    assert ([item["id"] for item in named.json()["items"]], named.headers["X-Total-Results"]) == ([mine[0]], "1")
    assert http.delete(f"/v1/searches/{mine[1]}").status_code == 204
    assert http.get("/v1/searches").headers["X-Total-Results"] == "2"
    everything = guarded.client("boss", "admin").get("/v1/searches?page_size=1000").json()["items"]
    assert {mine[0], mine[2], theirs.search} <= {item["id"] for item in everything}


def test_lists_of_alignments_hold_ones_own(guarded: Guarded, theirs: Theirs) -> None:
    http = guarded.client("pair-lister")
    mine = [http.post("/v1/alignments", json={**PAIR, "title": title}).json()["id"] for title in ("a", "b")]
    page = http.get("/v1/alignments")
    assert ([item["id"] for item in page.json()["items"]], page.headers["X-Total-Results"]) == (mine[::-1], "2")
    everything = guarded.client("boss", "admin").get("/v1/alignments").json()["items"]
    assert {*mine, theirs.alignment} <= {item["id"] for item in everything}


def test_lists_of_msas_hold_ones_own(guarded: Guarded, theirs: Theirs) -> None:
    http = guarded.client("chain-lister")
    mine = [http.post("/v1/msas", json={**CHAINS, "title": title}).json()["id"] for title in ("a", "b")]
    page = http.get("/v1/msas")
    assert ([item["id"] for item in page.json()["items"]], page.headers["X-Total-Results"]) == (mine[::-1], "2")
    everything = guarded.client("boss", "admin").get("/v1/msas").json()["items"]
    assert {*mine, theirs.msas} <= {item["id"] for item in everything}


def test_chains_are_shared_with_nobody(guarded: Guarded, theirs: Theirs) -> None:
    http, redis = guarded.client("chain-owner"), guarded.server.redis
    mine = http.post("/v1/msas", json=CHAINS).json()
    assert (mine["reused"], mine["id"] != theirs.msas) == (False, True)
    chains = [
        {chain.decode() for chain in redis.zrange(f"shardwater:chains:{owner}", 0, -1)}
        for owner in ("chain-owner", "lab")
    ]
    assert chains[0]
    assert chains[1]
    assert not chains[0] & chains[1]
    # A chain's job is none of those that a client knows, not even its owner's.
    for chain in sorted(chains[0]):
        for kind in ("searches", "msas", "alignments"):
            for client in (http, theirs.http):
                problem(client.get(f"/v1/{kind}/{chain}"), 404, "not-found")
                problem(client.delete(f"/v1/{kind}/{chain}"), 404, "not-found")
    # What a stranger tries to delete stands as it did.
    problem(http.delete(f"/v1/msas/{theirs.msas}"), 404, "not-found")
    with redis.pipeline() as pipe:
        for chain in sorted(chains[1]):
            pipe.smembers(SearchKeys(chain).wholes)
        assert theirs.msas.encode() in set().union(*pipe.execute())


def test_anothers_upload_cannot_be_aligned(theirs: Theirs, stranger: httpx.Client) -> None:
    refused = stranger.post("/v1/alignments", json={**PAIR, "queries": {"upload": theirs.upload}})
    never = stranger.post("/v1/alignments", json={**PAIR, "queries": {"upload": NEVER_UPLOAD}})
    assert (refused.status_code, never.status_code) == (422, 422)
    details = [reply.json()["detail"] for reply in (refused, never)]
    assert details[0].replace(theirs.upload, "") == details[1].replace(NEVER_UPLOAD, "")


def test_anothers_upload_cannot_be_compared(theirs: Theirs, stranger: httpx.Client) -> None:
    replies = [
        stranger.post("/v1/comparisons", json={**GENOMES, "query": {"upload": upload}})
        for upload in (theirs.upload, NEVER_UPLOAD)
    ]
    assert [reply.status_code for reply in replies] == [422, 422]
    details = [reply.json()["detail"] for reply in replies]
    assert details[0].replace(theirs.upload, "") == details[1].replace(NEVER_UPLOAD, "")


def test_anothers_matrix_cannot_be_searched_with(theirs: Theirs, stranger: httpx.Client) -> None:
    body = {"sequence": QUERY, "database": "demo", "gap_open": 9, "gap_extend": 1}
    for place in ("/v1/searches", "/v1/searches:estimate"):
        replies = [stranger.post(place, json={**body, "matrix": name}) for name in (theirs.matrix, NEVER_MATRIX)]
        assert [reply.status_code for reply in replies] == [422, 422]
        details = [reply.json()["detail"] for reply in replies]
        assert details[0].replace(theirs.matrix, "") == details[1].replace(NEVER_MATRIX, "")
        assert theirs.http.post(place, json={**body, "matrix": theirs.matrix}).status_code in (200, 202)


def test_equal_alignments_of_two_owners_are_two(guarded: Guarded) -> None:
    found = [guarded.client(name).post("/v1/alignments", json=PAIR).json() for name in ("pair-one", "pair-two")]
    assert [each["reused"] for each in found] == [False, False]
    again = guarded.client("pair-one").post("/v1/alignments", json=PAIR).json()
    assert (again["id"], again["reused"]) == (found[0]["id"], True)


def test_lists_of_comparisons_hold_ones_own(guarded: Guarded, theirs: Theirs) -> None:
    http = guarded.client("genome-lister")
    mine = [http.post("/v1/comparisons", json={**GENOMES, "title": title}).json()["id"] for title in ("a", "b")]
    page = http.get("/v1/comparisons")
    assert ([item["id"] for item in page.json()["items"]], page.headers["X-Total-Results"]) == (mine[::-1], "2")
    everything = guarded.client("boss", "admin").get("/v1/comparisons").json()["items"]
    assert {*mine, theirs.comparison} <= {item["id"] for item in everything}


def test_stretches_of_anothers_comparison_cannot_be_aligned(theirs: Theirs, stranger: httpx.Client) -> None:
    places = {side: {"record": side[0], "from": 1, "to": 100} for side in ("query", "subject")}
    # What the genomes have is not told either.
    beyond = {side: {"record": "#9", "from": 1, "to": 10_000} for side in ("query", "subject")}
    for path in ("/v1/comparisons/{}:align", "/comparisons/{}/box:estimate", "/comparisons/{}/score-map"):
        for box in (places, beyond):
            found = [stranger.post(path.format(each), json=box) for each in (theirs.comparison, NEVER_COMPARISON)]
            assert [reply.status_code for reply in found] == [404, 404]
            details = [reply.json()["detail"] for reply in found]
            assert details[0].replace(theirs.comparison, "") == details[1].replace(NEVER_COMPARISON, "")
    aligned = theirs.http.post(f"/v1/comparisons/{theirs.comparison}:align", json=places).json()["id"]
    assert theirs.http.get(f"/v1/alignments/{aligned}").status_code == 200
    problem(stranger.get(f"/v1/alignments/{aligned}"), 404, "not-found")


def test_equal_comparisons_of_two_owners_are_two(guarded: Guarded) -> None:
    names = ("genome-one", "genome-two", "genome-one")
    found = [guarded.client(name).post("/v1/comparisons", json=GENOMES).json() for name in names]
    assert [each["reused"] for each in found] == [False, False, True]
    assert found[0]["id"] == found[2]["id"] != found[1]["id"]


def test_equal_searches_of_two_owners_are_two(guarded: Guarded) -> None:
    first, second = guarded.client("one"), guarded.client("two")
    body = {"sequence": QUERY, "database": "demo", "title": "equal"}
    key = {"Idempotency-Key": '"the same"'}
    found = search(first, title="equal").json()["search"]
    estimate = second.post("/v1/searches:estimate", json=body)
    assert estimate.json()["reused"] is False
    submitted = second.post("/v1/searches", json=body, headers=key).json()
    assert (submitted["reused"], submitted["id"] != found) == (False, True)
    # One owner's key for a request is nothing to another.
    other = first.post("/v1/searches", json={**body, "title": "other"}, headers=key)
    assert (other.status_code, other.json()["reused"]) == (202, False)
    assert first.post("/v1/searches", json=body).json()["id"] == found


def test_keys_of_one_owner_share(guarded: Guarded) -> None:
    found = search(guarded.client("shared"), title="shared").json()["search"]
    again = guarded.client("shared").post(
        "/v1/searches", json={"sequence": QUERY, "database": "demo", "title": "shared"}
    )
    assert (again.json()["id"], again.json()["reused"]) == (found, True)


def test_admin_sees_and_ends_all(guarded: Guarded) -> None:
    found = search(guarded.client("lab"), title="to be removed").json()["search"]
    boss = guarded.client("boss", "admin")
    assert boss.get(f"/v1/searches/{found}/results").status_code == 200
    assert boss.delete(f"/v1/searches/{found}").status_code == 204
    problem(guarded.client("lab").get(f"/v1/searches/{found}"), 404, "not-found")
    assert found not in [
        item["id"] for item in guarded.client("lab").get("/v1/searches?page_size=1000").json()["items"]
    ]


def test_search_of_nobody_is_for_admins(guarded: Guarded) -> None:
    """What was searched in mode off, or by a version without owners."""
    found = search(guarded.client("lab"), title="nobody's").json()["search"]
    redis = guarded.server.redis
    redis.hset(SearchKeys(found).meta, "owner", "")
    for http in (guarded.client("lab"), guarded.client("other")):
        problem(http.get(f"/v1/searches/{found}"), 404, "not-found")
    redis.hdel(SearchKeys(found).meta, "owner")
    redis.set(SearchKeys(found).known, 1)
    problem(guarded.client("1").get(f"/v1/searches/{found}/results"), 404, "not-found")
    assert guarded.client("boss", "admin").get(f"/v1/searches/{found}").status_code == 200


def test_nobody_waits_for_anothers_search(guarded: Guarded) -> None:
    """A Get of NCBI's interface is held while its search runs: not while another's does."""
    owner, stranger = guarded.client("slow"), guarded.client("other")
    with standing(guarded.server):
        found = search(owner, wait=None, title="slow").json()["id"]
        began = time.monotonic()
        assert "Status=UNKNOWN" in stranger.get(f"/Blast.cgi?CMD=Get&RID={found}").text
        assert time.monotonic() - began < HELD_S - 1
        assert owner.get(f"/v1/searches/{found}").json()["state"] == "queued"
        assert owner.delete(f"/v1/searches/{found}").status_code == 204
