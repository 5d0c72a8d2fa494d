"""The page's session: a cookie for a key, of no use to scripts and to other sites."""

import asyncio
import hashlib
from collections.abc import Iterator
from http.cookies import SimpleCookie

import httpx
import pytest

from app.main import create_app
from tests.support.guarded import QUERY, Guarded, search, small_data
from tests.support.problems import problem
from tests.support.relay import SUB_PATH, relaying
from tests.support.server import PATIENCE_S, Server, running
from tests.support.sessions import OURS, cookie_of, sign_in
from worker.settings import Settings

BODY = {"sequence": QUERY, "database": "demo"}


def browser(guarded: Guarded, owner: str = "lab", **headers: str) -> httpx.Client:
    """A client with a session's cookie and nothing else."""
    cookie = cookie_of(sign_in(guarded, guarded.key(owner)))
    return guarded.anybody({"Cookie": f"shardwater_session={cookie}", **headers})


def test_cookie_is_for_this_server_and_no_script(guarded: Guarded) -> None:
    reply = sign_in(guarded, guarded.key("lab"))
    [cookie] = SimpleCookie(reply.headers["Set-Cookie"]).values()
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "strict", "/")
    assert (int(cookie["max-age"]), cookie["domain"], cookie["secure"]) == (12 * 3600, "", "")
    assert len(cookie.value) == 43
    assert (reply.json()["user"], [each["name"] for each in reply.json()["databases"]]) == ("lab", ["demo"])
    assert reply.headers["Cache-Control"] == "no-store"
    by_https = sign_in(guarded, guarded.key("lab"), {**OURS, "X-Forwarded-Proto": "https"})
    assert SimpleCookie(by_https.headers["Set-Cookie"])["shardwater_session"]["secure"] is True


def test_redis_has_the_cookies_digest_and_ends_it(guarded: Guarded) -> None:
    cookie = cookie_of(sign_in(guarded, guarded.key("lab")))
    redis = guarded.server.redis
    name = f"shardwater:session:{hashlib.sha256(cookie.encode()).hexdigest()}"
    assert 0 < redis.ttl(name) <= 12 * 3600
    kept = [each + (redis.dump(each) or b"") for each in redis.scan_iter("*")]
    assert not [each for each in kept if cookie.encode() in each]
    http = guarded.anybody({"Cookie": f"shardwater_session={cookie}"})
    assert http.get("/v1/databases").status_code == 200
    redis.delete(name)
    problem(http.get("/v1/databases"), 401, "unauthenticated")


@pytest.mark.parametrize("key", ["", "sw_aaaaaaaaaaaa_" + "A" * 43, "nonsense"])
def test_wrong_key_begins_no_session(guarded: Guarded, key: str) -> None:
    reply = sign_in(guarded, key)
    problem(reply, 401, "unauthenticated")
    assert "Set-Cookie" not in reply.headers


def test_session_cannot_be_begun_without_search_or_by_another_site(guarded: Guarded) -> None:
    problem(sign_in(guarded, guarded.key("writer", "databases:write")), 403, "forbidden")
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"X-Nothing": "said"}):
        problem(sign_in(guarded, guarded.key("lab"), headers), 403, "forbidden")
    host = guarded.server.url
    assert sign_in(guarded, guarded.key("lab"), {"Origin": host}).status_code == 200


def test_session_ends_by_signing_out_and_with_its_key(guarded: Guarded) -> None:
    issued = guarded.keys.create("lab", ("search",), None)
    first, second = (
        guarded.anybody({"Cookie": f"shardwater_session={cookie_of(sign_in(guarded, issued.text))}"}) for _ in range(2)
    )
    assert first.get("/session").json()["user"] == "lab"
    gone = first.delete("/session", headers=OURS)
    assert (gone.status_code, SimpleCookie(gone.headers["Set-Cookie"])["shardwater_session"]["max-age"]) == (204, "0")
    assert first.get("/session").json() == {"user": "", "databases": []}
    assert second.get("/v1/databases").status_code == 200
    guarded.keys.revoke(issued.key.id)
    problem(second.get("/v1/databases"), 401, "unauthenticated")


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "OURS"}, False),
        ({"Origin": "OURS"}, True),
        ({"Origin": "null"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({}, False),
    ],
)
def test_cookie_acts_for_our_own_page_alone(guarded: Guarded, headers: dict[str, str], allowed: bool) -> None:
    http = browser(guarded)
    sent = {name: guarded.server.url if value == "OURS" else value for name, value in headers.items()}
    replies = [
        http.post("/v1/searches", json=BODY, headers=sent),
        http.post("/v1/matrices", data=BODY, headers=sent),
        http.post("/v1/searches:estimate", json=BODY, headers=sent),
        http.delete("/v1/searches/none", headers=sent),
        http.post("/v1/searches/none:cancel", headers=sent),
    ]
    assert {reply.status_code == 403 for reply in replies} == {not allowed}
    assert http.get("/v1/searches", headers=sent).status_code == 200


CLICK = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1", "Accept": "text/html"}


@pytest.mark.parametrize(
    "site", [{"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]
)
def test_cookie_and_proxys_user_start_nothing_by_another_sites_form(
    guarded: Guarded, proxied: Server, site: dict[str, str]
) -> None:
    """Not even where the user submits it: it fills in our form, and so it does for a user who has yet to sign in."""
    cookie, sent = browser(guarded), {**CLICK, **site}
    before = cookie.get("/v1/searches").headers["X-Total-Results"]
    with proxied.http as proxy, guarded.anybody({}) as nobody:
        replies = [
            cookie.post("/v1/searches", data=BODY, headers=sent),
            nobody.post("/v1/searches", data=BODY, headers=sent),
            proxy.post("/v1/searches", data=BODY, headers={**sent, **user("eve@lab")}),
        ]
        assert [(reply.status_code, reply.headers["Location"]) for reply in replies] == 3 * [(307, "/")]
        problem(proxy.post("/v1/searches", data=BODY, headers={**sent, "X-Forwarded-User": ""}), 401, "unauthenticated")
        assert proxy.get("/v1/searches", headers=user("eve@lab")).headers["X-Total-Results"] == "0"
    assert cookie.get("/v1/searches").headers["X-Total-Results"] == before


@pytest.mark.parametrize("path", ["/Blast.cgi?CMD=Get&RID=x", "/rest/ncbiblast/status/x", "/result/x/0", "/databases"])
def test_older_interfaces_take_no_cookie(guarded: Guarded, path: str) -> None:
    """Some of them act by GET, which any page on the same site could send."""
    problem(browser(guarded).get(path, headers=OURS), 401, "unauthenticated")


def test_cookie_does_not_make_up_for_a_wrong_key(guarded: Guarded) -> None:
    http = browser(guarded, Authorization="Bearer sw_aaaaaaaaaaaa_" + "A" * 43)
    problem(http.get("/v1/databases"), 401, "unauthenticated")
    # What a browser sends to a proxy that asks for a password of its own.
    assert browser(guarded, Authorization="Basic bGFiOmxhYg==").get("/v1/databases").status_code == 200


def test_events_and_the_page_come_by_the_cookie(guarded: Guarded) -> None:
    http = browser(guarded)
    found = search(guarded.client("lab")).json()["search"]
    assert "event: done" in http.get(f"/v1/searches/{found}/events").text
    assert found in http.get(f"/searches/{found}").text
    assert http.get(f"/searches/{found}/queries").status_code == 200
    problem(browser(guarded, "other").get(f"/v1/searches/{found}/events"), 404, "not-found")


def test_page_shows_strangers_nothing(guarded: Guarded) -> None:
    http = guarded.anybody()
    found = search(guarded.client("lab"), title="nothing of this").json()["search"]
    genomes = {"query": ">q\nACGT", "subject": ">s\nACGT", "title": "nothing of this"}
    compared = guarded.client("lab").post("/v1/comparisons", json=genomes).json()["id"]
    chains = {"queries": QUERY, "databases": ["demo"], "title": "nothing of this"}
    made = guarded.client("lab").post("/v1/msas", json=chains).json()["id"]
    unknown = "/searches/AAAAAAAAAAAAAAAAAAAAAAAA"
    pages = (f"/searches/{found}", unknown, f"/comparisons/{compared}", f"/msas/{made}")
    for path in ("/", "/compare", "/msas", "/history", *pages):
        page = http.get(path)
        assert '"databases": []' in page.text
        assert '"user": ""' in page.text
        assert "nothing of this" not in page.text
    assert {http.get(path).status_code for path in pages} == {401}


def test_other_sites_forms_still_fill_in_ours(guarded: Guarded) -> None:
    """Without a cookie, which the browser keeps back, and with one; nothing is done by it."""
    foreign = {"Origin": "https://portal.example", "Sec-Fetch-Site": "cross-site"}
    for http in (guarded.anybody(), browser(guarded)):
        page = http.post("/", data={"sequence": QUERY, "database": "demo"}, headers=foreign)
        assert page.status_code == 200
        assert "MKVLAAGWDEHHKLMNPQRS" in page.text


def test_replies_are_not_kept_for_another_caller(guarded: Guarded) -> None:
    found = search(guarded.client("lab")).json()["search"]
    for path in (f"/v1/searches/{found}/results", "/", "/v1/databases"):
        vary = guarded.client("lab").get(path).headers["Vary"]
        assert {"Authorization", "Cookie"} <= {name.strip() for name in vary.split(",")}
    assert guarded.client("lab").get(f"/v1/searches/{found}/results").headers["Cache-Control"].startswith("private")


def test_cookie_is_for_the_sub_path_of_a_proxy(guarded: Guarded, tmp_path_factory: pytest.TempPathFactory) -> None:
    environment = {"SHARDWATER_AUTH": "keys", "SHARDWATER_ROOT_PATH": SUB_PATH}
    with running(Server(small_data(tmp_path_factory.mktemp("below")), environment=environment)) as server:
        below = Guarded(server, type(guarded.keys)(server.redis))
        with relaying(server.url) as relay:
            key = {"key": below.key("lab")}
            reply = httpx.post(f"{relay.url}/session", json=key, headers=OURS, timeout=PATIENCE_S)
            assert SimpleCookie(reply.headers["Set-Cookie"])["shardwater_session"]["path"] == SUB_PATH
            closed = httpx.get(f"{relay.url}/v1/databases", timeout=PATIENCE_S)
            problem_type = closed.json()["type"]
    assert (closed.status_code, problem_type) == (401, "urn:shardwater:problem:unauthenticated")


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service that believes a proxy on 127.0.0.1."""
    environment = {"SHARDWATER_AUTH": "proxy", "SHARDWATER_TRUSTED_PROXIES": "127.0.0.1"}
    with running(Server(small_data(tmp_path_factory.mktemp("proxied")), environment=environment)) as server:
        yield server


def user(name: str) -> dict[str, str]:
    return {"X-Forwarded-User": name}


def test_proxys_user_is_an_owner(proxied: Server) -> None:
    with proxied.http as http:
        found = http.post("/v1/searches", json=BODY, headers=user("ann@lab")).json()["id"]
        assert http.get(f"/v1/searches/{found}", headers=user("ann@lab")).status_code == 200
        problem(http.get(f"/v1/searches/{found}", headers=user("bob@lab")), 404, "not-found")
        assert '"user": "ann@lab"' in http.get("/", headers=user("ann@lab")).text
        for headers in ({}, user(""), user("two words"), {"Cookie": "shardwater_session=x"}):
            for path in ("/", "/v1/searches", f"/searches/{found}"):
                told = problem(http.get(path, headers=headers), 401, "unauthenticated")["detail"]
                assert told.startswith("the proxy names no user: sign in there")
        twice = [("X-Forwarded-User", "ann@lab"), ("X-Forwarded-User", "bob@lab")]
        problem(http.get("/v1/searches", headers=twice), 401, "unauthenticated")
        problem(http.get("/metrics", headers=user("ann@lab")), 403, "forbidden")
        problem(http.get("/session", headers=user("ann@lab")), 404, "not-found")
        assert http.get("/healthz").status_code == 200


def test_proxys_user_does_not_act_for_other_sites(proxied: Server) -> None:
    with proxied.http as http:
        foreign = {**user("ann@lab"), "Origin": "https://evil.example"}
        problem(http.post("/v1/searches", json=BODY, headers=foreign), 403, "forbidden")
        problem(
            http.get("/Blast.cgi?CMD=Delete&RID=x", headers={**user("a"), "Sec-Fetch-Site": "cross-site"}),
            403,
            "forbidden",
        )
        # A browser sends neither of those with a GET over plain HTTP.
        for referer in ("http://evil.example/", "https://evil.example/a", "http://[::1", "about:blank"):
            deletes = http.get("/Blast.cgi?CMD=Delete&RID=x", headers={**user("a"), "Referer": referer})
            problem(deletes, 403, "forbidden")
        ours = {**user("a"), "Referer": f"{proxied.url}/"}
        assert http.get("/Blast.cgi?CMD=Delete&RID=x", headers=ours).status_code != 403
        problem(http.post("/v1/searches", json=BODY, headers={**user("a"), "Origin": "http://[::1"}), 403, "forbidden")
        assert http.post("/v1/searches", json=BODY, headers=user("ann@lab")).status_code == 202
        assert http.post("/", data=BODY, headers=foreign).status_code == 200


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("10.1.2.3", 200),
        ("::ffff:10.1.2.3", 200),
        ("2001:db8::7", 200),
        ("10.1.3.3", 401),
        ("127.0.0.1", 401),
        ("2001:db9::7", 401),
        ("", 401),
    ],
)
def test_user_named_by_anybody_else_is_nobody(address: str, status: int) -> None:
    """An address that a client claims to have is not where its request comes from."""
    app = create_app(Settings(auth="proxy", trusted_proxies="10.1.2.0/24, 2001:db8::/32"))
    claimed = {**user("ann@lab"), "X-Forwarded-For": "10.1.2.3"}

    async def ask() -> int:
        transport = httpx.ASGITransport(app, client=(address, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as http:
            return (await http.get("/v1/parameters", headers=claimed)).status_code

    assert asyncio.run(ask()) == status
