"""Without keys a service answers under its own names: another site's name that leads to its address is refused."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest

from app.main import create_app
from app.middleware.http_protocol import NO_HOST
from tests.support.connections import talk
from tests.support.guarded import QUERY, small_data
from tests.support.problems import problem
from tests.support.routes import OPEN, routes
from tests.support.server import Server, running
from worker.settings import Settings, SettingsError
from worker.supervision.service_plan import Site, listen

FOREIGN = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
NEIGHBOUR = {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:3000"}
"""A page from another port of this machine."""
CLICK = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1", "Accept": "text/html,*/*"}
"""What a browser says of a form that a user submits, and whose answer takes the place of the page."""
FORM = {"sequence": QUERY, "database": "demo"}


@pytest.fixture(scope="module")
def open_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service for everybody, known as search.lab."""
    environment = {"SHARDWATER_ALLOWED_HOSTS": "search.lab, app", "SHARDWATER_CORS_ORIGINS": "https://portal.example"}
    with running(Server(small_data(tmp_path_factory.mktemp("open")), environment=environment)) as server:
        yield server


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST", "localhost.", "LocalHost.:8000", "localhost:", "127.0.0.1", "127.0.0.1:8000"),
        *(
            "[::1]",
            "[::1]:8000",
            "[2001:DB8::7]:80",
            "192.168.7.9",
            "search.lab",
            "Search.Lab:443",
            "search.lab.",
            "app",
        ),
    ],
)
def test_own_names_and_addresses_are_answered(open_service: Server, host: str) -> None:
    with open_service.http as http:
        assert http.get("/v1/databases", headers={"Host": host}).status_code == 200
        assert http.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *(
            "evil.example",
            "evil.example:8000",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "lab",
            "sub.search.lab",
        ),
        *(
            "localhost..",
            "",
            "[::1",
            "[evil.example]",
            "user@localhost",
            "localhost/",
            "localhost,evil.example",
            "127.1",
        ),
        *("[127.0.0.1]x", "::1", "2130706433", "0x7f.1", "localhost:8000:8000", "evil.example#localhost"),
    ],
)
def test_other_names_are_421_on_every_route(open_service: Server, host: str) -> None:
    body = {"sequence": QUERY, "database": "demo"}
    with open_service.http as http:
        problem(http.get("/v1/databases", headers={"Host": host}), 421, "misdirected-request")
        for path in ("/", "/healthz", "/openapi.json", "/assets/page.js", "/databases", "/no/such"):
            assert http.get(path, headers={"Host": host}).status_code == 421
        assert http.post("/v1/searches", json=body, headers={"Host": host}).status_code == 421
        assert http.get("/v1/searches").headers["X-Total-Results"] == "0"


def test_request_without_host_is_no_browsers(open_service: Server) -> None:
    assert talk(open_service.url, b"GET /healthz HTTP/1.0\r\n\r\n").split(b" ")[1] == b"200"


@pytest.mark.parametrize(
    "head",
    [
        "GET /healthz HTTP/1.1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nX-Host: localhost\r\n\r\n",
        "GET http://localhost/healthz HTTP/1.1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        "POST /v1/searches HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
    ],
)
def test_http_1_1_without_host_is_400(open_service: Server, head: str) -> None:
    """By RFC 9112, 3.2."""
    first, _, rest = talk(open_service.url, head.encode()).partition(b"\r\n")
    assert (first, rest.endswith(NO_HOST.encode())) == (b"HTTP/1.1 400 Bad Request", True)


def test_host_counts_beside_an_absolute_target(open_service: Server) -> None:
    for target, host, status in (("localhost", "evil.example", b"421"), ("evil.example", "localhost", b"200")):
        request = f"GET http://{target}/v1/parameters HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        assert talk(open_service.url, request.encode()).split(b" ")[1] == status


@pytest.mark.parametrize("foreign", [FOREIGN, NEIGHBOUR])
def test_page_of_another_site_starts_and_deletes_nothing(open_service: Server, foreign: dict[str, str]) -> None:
    """It could send what needs no permission of ours: text, forms, and the older interfaces' GETs."""
    with open_service.http as http:
        script = {**foreign, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "empty"}
        frame = {**foreign, **CLICK, "Sec-Fetch-Dest": "iframe"}
        text = {**foreign, **CLICK, "Content-Type": "text/plain"}
        sent = [
            http.post("/v1/searches?database=demo", content=QUERY, headers=text),
            http.post("/v1/searches", data=FORM, headers=script),
            http.post("/v1/searches", data=FORM, headers=frame),
            http.post("/v1/matrices", data=FORM, headers={**foreign, **CLICK}),
            http.get("/Blast.cgi?CMD=Put&PROGRAM=blastp&DATABASE=demo&QUERY=MKVLAAGW", headers=foreign),
            http.post("/ticket", data={"q": QUERY, "database[]": "demo"}, headers=foreign),
        ]
        for reply in sent:
            assert reply.status_code == 403, reply.request.url
            assert "SHARDWATER_CORS_ORIGINS" in reply.text
        assert http.get("/v1/searches").headers["X-Total-Results"] == "0"
        # A link from elsewhere, a form that fills in ours, and the portal whose scripts may.
        assert http.get("/", headers={"Sec-Fetch-Site": foreign["Sec-Fetch-Site"]}).status_code == 200
        for path, field in (("/", "sequence"), ("/align", "queries")):
            assert http.post(path, data={field: QUERY}, headers=foreign).status_code == 200
        assert http.get("/v1/alignments").headers["X-Total-Results"] == "0"
        portal = {**foreign, "Origin": "https://portal.example"}
        assert http.post("/v1/searches", json={"sequence": QUERY, "database": "no"}, headers=portal).status_code == 422


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://localhost"},
        {"Origin": "null"},
        {"Referer": "http://evil.example/page"},
    ],
)
def test_page_on_plain_http_changes_nothing_on_any_route(headers: dict[str, str]) -> None:
    """Its browser sends no Sec-Fetch-Site to a host that has a name."""

    async def ask() -> list[str]:
        transport = httpx.ASGITransport(create_app(Settings(allowed_hosts="search.lab")))
        async with httpx.AsyncClient(transport=transport, base_url="http://search.lab") as http:
            sent = [(method, await http.request(method, path, headers=headers)) for method, path in acting]
            return [f"{method} {reply.request.url.path}" for method, reply in sent if reply.status_code != 403]

    # Pages' forms change nothing yet.
    acting = [(method, path) for method, path in routes() if method != "GET" and (method, path) not in OPEN]
    acting += [("GET", "/Blast.cgi?CMD=Put&PROGRAM=blastp&DATABASE=demo&QUERY=MKVLAAGW"), ("DELETE", "/session")]
    assert len(acting) > 30
    assert asyncio.run(ask()) == []


def test_page_on_plain_http_is_refused_and_ours_is_not(open_service: Server) -> None:
    body = {"sequence": QUERY, "database": "no"}
    with open_service.http as http:
        reply = http.post("/v1/uploads", content=QUERY, headers={"Origin": "http://evil.example"})
        problem(reply, 403, "forbidden")
        assert http.get("/v1/uploads").json()["items"] == []
        for origin in (open_service.url, "https://portal.example"):
            assert http.post("/v1/searches", json=body, headers={"Origin": origin}).status_code == 422
        # A page of another site shows a link to one of our results.
        assert http.get("/history", headers={"Referer": "http://evil.example/page"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        *(
            {**site, **{name: value for name, value in CLICK.items() if name != "Sec-Fetch-User"}}
            for site in (FOREIGN, NEIGHBOUR)
        ),
        {"Origin": "http://portal.lab"},
        {"Origin": "null"},
    ],
)
def test_form_that_nobody_is_known_to_have_submitted_fills_in_ours(
    open_service: Server, headers: dict[str, str]
) -> None:
    """A page may submit it by itself; over plain HTTP to a name, and in Safari, a browser does not say who did."""
    own = {"/v1/searches": "/", "/v1/alignments": "/align", "/v1/comparisons": "/compare", "/v1/msas": "/msas"}
    with open_service.http as http:
        for path, form in own.items():
            reply = http.post(path, data=FORM, headers=headers)
            assert (reply.status_code, reply.headers["Location"]) == (307, form)
        assert http.get("/v1/searches").headers["X-Total-Results"] == "0"
        page = http.post("/v1/searches", data=FORM, headers=headers, follow_redirects=True)
        assert QUERY.splitlines()[1] in page.text


@pytest.mark.parametrize("site", [FOREIGN, NEIGHBOUR, {"Sec-Fetch-Site": "cross-site", "Origin": "null"}, {}])
def test_form_that_a_user_submits_leads_to_the_searchs_page(open_service: Server, site: dict[str, str]) -> None:
    for body in ({"data": FORM}, {"data": {"database": "demo"}, "files": {"sequence": QUERY.encode()}}):
        with open_service.http as http:
            reply = http.post("/v1/searches", headers={**CLICK, **site}, **body)
            assert (reply.status_code, reply.content) == (303, b"")
            assert "Access-Control-Allow-Origin" not in reply.headers
            page = http.get(reply.headers["Location"], headers={"Accept": CLICK["Accept"]})
            assert page.headers["Content-Type"].startswith("text/html")
            assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
            http.delete(f"/v1{reply.headers['Location']}")


def test_program_that_posts_a_form_is_answered_with_json(open_service: Server) -> None:
    with open_service.http as http:
        for headers in ({}, {"Accept": "text/html", "Prefer": "respond-async"}):
            reply = http.post("/v1/searches", data=FORM, headers=headers)
            assert (reply.status_code, reply.json()["state"] != "") == (202, True)
            http.delete(reply.headers["Location"])


def test_form_with_a_fault_is_filled_in_for_a_browser_as_far_as_there_is_room(open_service: Server) -> None:
    with open_service.http as http:
        for fault in ({**FORM, "database": "no"}, {**FORM, "sequence": ">q\nMKV@\n"}, {**FORM, "nonsense": "1"}):
            reply = http.post("/v1/searches", data=fault, headers={**CLICK, **FOREIGN})
            assert (reply.status_code, reply.headers["Location"]) == (307, "/")
        long = http.post("/v1/searches", data={**FORM, "sequence": "@" * (1 << 18)}, headers={**CLICK, **FOREIGN})
        problem(long, 422, "invalid-sequence")


def test_own_page_starts_searches(open_service: Server) -> None:
    own = {"Sec-Fetch-Site": "same-origin", "Origin": open_service.url}
    with open_service.http as http:
        body = {"sequence": QUERY, "database": "no"}
        assert http.post("/v1/searches", json=body, headers=own).status_code == 422


def status(name: str, **settings: str) -> int:
    """What an app answers to a request by this name."""

    async def ask() -> int:
        transport = httpx.ASGITransport(create_app(Settings(**settings)))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
            return (await http.get("/openapi.json", headers={"Host": name})).status_code

    return asyncio.run(ask())


def test_name_of_the_socket_is_ours() -> None:
    assert status("machine.lab:8000", host="Machine.lab") == 200
    assert status("machine.lab:8000", host="0.0.0.0") == 421


def test_keys_and_proxies_let_in_under_any_name() -> None:
    assert status("evil.example", auth="keys") == 200
    assert status("evil.example", auth="proxy", trusted_proxies="127.0.0.1") == 200


@pytest.mark.parametrize(
    "value", ["search.lab:80", "http://search.lab", "*", "*.lab", "a b/c", "ä.lab", "-x.lab", ".lab"]
)
def test_name_that_is_none_stops_the_start(value: str) -> None:
    with pytest.raises(SettingsError, match=r"SHARDWATER_ALLOWED_HOSTS: '.*' is no name of a host"):
        Settings.from_env({"SHARDWATER_ALLOWED_HOSTS": value})


@pytest.mark.parametrize("value", ["/", "lab", "/lab/", "//lab", "/lab\n", "/a b", "/%61", "http://search.lab/lab"])
def test_root_path_that_is_none_stops_the_start(value: str) -> None:
    with pytest.raises(SettingsError, match="SHARDWATER_ROOT_PATH is "):
        Settings.from_env({"SHARDWATER_ROOT_PATH": value})


def test_serve_tells_the_front_end_its_name() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert Site(Settings(host="machine.lab"), listener).environment["SHARDWATER_HOST"] == "machine.lab"
