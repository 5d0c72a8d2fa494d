"""Clients of ColabFold's interface where keys are asked for, and where quotas are used up."""

from base64 import b64encode
from pathlib import Path

import httpx
import pytest

from tests.support.guarded import QUERY, Guarded, search
from tests.support.predictors import CLIENTS, Failed, ask
from tests.support.problems import problem

CHAIN = QUERY.splitlines()[1]
FORM = {"q": QUERY, "mode": "all"}


def login(password: str, user: str = "anybody") -> dict[str, str]:
    return {"Authorization": f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"}


@pytest.mark.parametrize("how", ["header", "login"])
def test_boltz_sends_its_key(guarded: Guarded, tmp_path: Path, how: str) -> None:
    key = guarded.key(f"boltz-{how}")
    options = {
        # As it makes them of --api_key_value.
        "header": {"auth_headers": {"Content-Type": "application/json", "X-API-Key": key}},
        "login": {"msa_server_username": "lab", "msa_server_password": key},
    }[how]
    [found] = ask("boltz", guarded.server.url, [CHAIN], tmp_path, **options)
    assert found.startswith(f">101\n{CHAIN}\n>one\t")
    assert len(guarded.anybody({"X-API-Key": key}).post("/ticket/msa", data=FORM).json()["id"]) > 34


@pytest.mark.parametrize("client", CLIENTS)
def test_client_without_a_key_ends(guarded: Guarded, tmp_path: Path, client: str) -> None:
    with pytest.raises(Failed, match="API is giving errors"):
        ask(client, guarded.server.url, [CHAIN], tmp_path)


def test_keys_come_in_three_ways_here_and_in_one_elsewhere(guarded: Guarded) -> None:
    key = guarded.key("three-ways")
    ways = [{"Authorization": f"Bearer {key}"}, {"X-API-Key": key}, login(key), login(key, user="")]
    tickets = set()
    for headers in ways:
        http = guarded.anybody(headers)
        ticket = http.post("/ticket/msa", data=FORM).json()
        tickets.add(ticket["id"])
        assert http.get(f"/ticket/{ticket['id']}").json()["status"] != "UNKNOWN"
        assert http.get(f"/result/download/{ticket['id']}").status_code in (200, 400)
        elsewhere = http.get("/v1/databases")
        if "Bearer" in headers.get("Authorization", ""):
            assert elsewhere.status_code == 200
        else:
            problem(elsewhere, 401, "unauthenticated")
    assert len(tickets) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"X-API-Key": "sw_wrong"},
        {"X-API-Key": ""},
        login("example_password", "example_user"),
        login("sw_aaaaaaaaaaaa_" + "A" * 43),
        {"Authorization": "Basic"},
        {"Authorization": "Basic ====="},
        {"Authorization": "Basic " + "QUFB" * 10_000},
        {"Authorization": "Basic /////w=="},
    ],
)
def test_wrong_keys_are_refused_and_not_repeated(guarded: Guarded, headers: dict[str, str]) -> None:
    reply = guarded.anybody(headers).post("/ticket/msa", data=FORM)
    assert (reply.status_code, reply.json()["status"]) == (401, "ERROR")
    assert reply.headers["WWW-Authenticate"].startswith('Bearer realm="shardwater"')
    assert "sw_a" not in reply.text


def test_right_key_beside_a_wrong_one_opens_nothing(guarded: Guarded) -> None:
    key = guarded.key("two-keys")
    wrong = f"Bearer sw_aaaaaaaaaaaa_{'A' * 43}"
    http = guarded.anybody({"Authorization": wrong, "X-API-Key": key})
    assert http.post("/ticket/msa", data=FORM).status_code == 401
    twice = guarded.anybody()
    reply = twice.post("/ticket/msa", data=FORM, headers=[("X-API-Key", key), ("X-API-Key", key)])
    assert reply.status_code == 400


def test_login_that_a_browser_sends_along_is_no_leave_for_another_site(guarded: Guarded) -> None:
    key = guarded.key("browser")
    for there in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        reply = guarded.anybody(login(key) | there).post("/ticket/msa", data=FORM)
        assert (reply.status_code, reply.json()["status"]) == (403, "ERROR")
    assert guarded.anybody(login(key) | {"Sec-Fetch-Site": "same-origin"}).post("/ticket/msa", data=FORM).is_success


def test_revoked_key_ends_at_once(guarded: Guarded) -> None:
    issued = guarded.keys.create("revoked-predictor", ("search",), None)
    http = guarded.anybody({"X-API-Key": issued.text})
    assert http.post("/ticket/msa", data=FORM).is_success
    guarded.keys.revoke(issued.key.id)
    assert http.post("/ticket/msa", data=FORM).status_code == 401


@pytest.mark.parametrize("client", CLIENTS)
def test_client_waits_until_its_quota_is_new(limited: Guarded, tmp_path: Path, client: str) -> None:
    # ColabFold's client has no option for a key, and takes a login in the address.
    key = limited.key(f"quota-{client}")
    http = limited.anybody({"X-API-Key": key})
    for number in range(3):
        assert search(limited.anybody({"Authorization": f"Bearer {key}"}), title=str(number)).status_code == 200
    refused = http.post("/ticket/msa", data=FORM)
    assert (refused.status_code, refused.json()["status"]) == (429, "RATELIMIT")
    assert int(refused.headers["Retry-After"]) > 0
    waited = []

    def until_the_hour_is_over() -> None:
        waited.append(client)
        with limited.server.redis as redis:
            redis.delete(*redis.scan_iter("shardwater:quota:*"))

    url = limited.server.url.replace("http://", f"http://lab:{key}@")
    [found] = ask(client, url, [CHAIN], tmp_path, until_the_hour_is_over)
    assert found.startswith(f">101\n{CHAIN}\n")
    assert waited


def test_tickets_are_charged_by_chains_and_only_where_they_are_new(limited: Guarded) -> None:
    http = limited.client("tickets")
    two = {"q": f"{QUERY}>r\nMKVLAAGWDEHHKLMNPQRT\n", "mode": "all"}

    def left(reply: httpx.Response) -> str:
        assert reply.is_success, reply.text
        return reply.headers["RateLimit"].split(";")[1]

    assert left(http.post("/ticket/msa", data=two)) == "r=1"
    assert left(http.post("/ticket/msa", data=two)) == "r=1"
    # What is paired is not filtered, and so is another search.
    refused = http.post("/ticket/pair", data=two | {"mode": "pairgreedy"})
    assert (refused.status_code, refused.json()["status"]) == (429, "RATELIMIT")


def test_tickets_for_the_same_chain_under_other_names_are_charged(limited: Guarded) -> None:
    http = limited.client("names")
    asked = [http.post("/ticket/msa", data=FORM | {"q": f">{name}\n{CHAIN}\n"}) for name in "abcd"]
    assert [reply.status_code for reply in asked] == [200, 200, 200, 429]


def test_nvidias_routes_are_charged_too(limited: Guarded) -> None:
    http = limited.client("nvidia")
    for number in range(3):
        assert search(http, title=str(number)).status_code == 200
    for path, asked in (("predict", {"sequence": CHAIN}), ("paired/predict", {"sequences": [CHAIN]})):
        refused = http.post(f"/biology/colabfold/msa-search/{path}", json=asked)
        assert (refused.status_code, "searches are asked for" in refused.json()["detail"]) == (429, True)
        assert int(refused.headers["Retry-After"]) > 0


def test_each_item_of_a_batch_is_charged(limited: Guarded) -> None:
    batch = [CHAIN[number:] for number in range(4)]
    reply = limited.client("nvidia-batch").post("/biology/colabfold/msa-search/predict", json={"sequence": batch})
    results = reply.json()["results"]
    assert [item["status"] for item in results] == ["success", "success", "success", "error"]
    assert "searches are asked for" in results[3]["error"]
