"""Marked sequences sent through every route and every fault: nothing of them stands in a log, an error or a list of
processes.
"""

import json
import re
import signal
from collections.abc import Iterator
from os import kill

import httpx
import pytest

from tests.support.guarded import Guarded, guarding, search, small_data, standing
from tests.support.processes import commands
from tests.support.routes import routes
from tests.support.server import PATIENCE_S, until
from worker.jobs.redis_names import SearchKeys

MARK = "WYQCHNMKFDTPRGIVLASEWCWHWMKKYHPDFCWYQCHNMKFDTPRGIVLA"
"""Searched for in pieces: a library quotes the beginning of a text, or its end."""
PIECES = {MARK[at : at + 12] for at in range(len(MARK) - 11)}
TITLE = "private-title-of-a-search"
FASTA = f">private-header-of-a-query\n{MARK}\n"
PRIVATE = [*PIECES, TITLE, "private-header-of-a-query"]
FORM = "application/x-www-form-urlencoded"
BODIES: list[tuple[str, bytes]] = [
    ("application/json", json.dumps({"sequence": FASTA, "database": MARK, "title": TITLE}).encode()),
    ("application/json", json.dumps({"sequence": f"{FASTA}@", "database": "demo"}).encode()),
    ("application/json", json.dumps({MARK: 1, "sequence": [FASTA]}).encode()),
    ("application/json", json.dumps({"sequence": FASTA, "database": "demo", "evalue": MARK, "matrix": MARK}).encode()),
    ("application/json", f'{{"sequence": "{MARK}'.encode()),
    ("text/x-fasta", f"{FASTA}\x00@".encode()),
    ("text/plain", FASTA.encode()),
    ("text/plain", f"@private-header-of-a-query\n{MARK}\n+\n{MARK[1:]}\n".encode()),
    ("application/octet-stream", f"{FASTA}{MARK}-{MARK}".encode()),
    (FORM, f"sequence={MARK}%FF%@&sequence={MARK}&{MARK}=1".encode()),
    (FORM, f"q={MARK}@&QUERY={MARK}@&CMD=Put&PROGRAM=blastp&DATABASE={MARK}&database[]={MARK}".encode()),
    (FORM, f"q={MARK}@&QUERY={MARK}@&CMD=Put&PROGRAM=blastp&DATABASE=demo&database[]=demo&email=a".encode()),
    ("multipart/form-data; boundary=b", f"--b\r\nContent-Disposition: form-data; name={MARK}\r\n\r\n{MARK}".encode()),
    ("multipart/form-data; boundary=b", f"--b\r\n{MARK}\r\n\r\n{MARK}\r\n--b--".encode()),
    (f"text/{MARK}", FASTA.encode()),
]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A service that logs all that it can."""
    yield from guarding(small_data(tmp_path_factory.mktemp("watched")), log_level="debug")


def private_in(text: str) -> list[str]:
    return [piece for piece in PRIVATE if piece in text]


def logs(service: Guarded) -> str:
    """What the service and its queue have written so far."""
    return "".join(service.server.lines) + (service.server.data / ".valkey" / "valkey.log").read_text()


def logged(service: Guarded, words: str) -> str:
    """The logs, once these words stand in them."""
    while re.search(words, found := logs(service)) is None:
        assert service.server.process is not None
        assert service.server.process.poll() is None
    return found


def test_pieces_are_seen_where_they_are() -> None:
    assert private_in(f"at {MARK[3:20]}!")
    assert not private_in(MARK[:11])


@pytest.mark.parametrize(("kind", "body"), BODIES)
def test_refusals_and_logs_repeat_nothing_of_a_body(watched: Guarded, kind: str, body: bytes) -> None:
    http = watched.client("marked")
    posts = [path for method, path in routes() if method == "POST"]
    assert len(posts) > 6
    for path in posts:
        place = path.replace("{tool_name}", "ncbiblast").replace("{", "").replace("}", "")
        reply = http.post(place, content=body, headers={"Content-Type": kind})
        if reply.is_error:
            assert private_in(reply.text) == [], (path, reply.text)
            assert "Traceback" not in reply.text
            assert str(watched.server.data) not in reply.text
    assert private_in(logs(watched)) == []


def test_searches_that_run_leave_nothing_in_logs_or_command_lines(watched: Guarded) -> None:
    http = watched.client("marked")
    assert search(http, FASTA, title=TITLE).status_code == 200
    assert private_in(logs(watched)) == []
    assert private_in(commands()) == []


def test_what_stands_in_an_address_is_not_logged(watched: Guarded) -> None:
    http = watched.client("marked")
    for method, path in routes():
        place = re.sub(r"\{[^}]*\}", MARK, path)
        http.request(method, place, params={"id": MARK, "page_token": MARK, "columns": MARK, "CMD": MARK, "RID": MARK})
    http.get("/v1/searches", headers={"Authorization": f"Bearer {MARK}", "Accept": MARK, "Prefer": MARK})
    assert private_in(logs(watched)) == []


def broken(service: Guarded) -> str:
    """A search whose request in Redis cannot be read, as after a change of versions: its job fails in the worker."""
    http = service.client("marked")
    with standing(service.server):
        found = search(http, FASTA, wait=None, title=f"{TITLE} broken").json()["id"]
        request = {"sequence": FASTA, "database": "demo", "matrix": MARK, MARK: MARK}
        service.server.redis.hset(SearchKeys(found).meta, "request", json.dumps(request))
    return str(found)


def test_error_of_a_worker_is_logged_without_its_words(watched: Guarded) -> None:
    found = broken(watched)
    text = logged(watched, f"search {found} cannot be read: ValidationError at ")
    assert private_in(text) == []
    assert "Traceback" not in text
    http = watched.client("marked")
    until(lambda: http.get(f"/v1/searches/{found}").json()["state"] == "failed")
    assert private_in(http.get(f"/v1/searches/{found}").json()["error"]["detail"]) == []
    # RQ keeps what a job ended with.
    redis = watched.server.redis
    results = [redis.xrange(name) for name in redis.scan_iter("rq:results:*")]
    assert private_in(str(results)) == []


def test_error_of_the_front_end_is_logged_without_its_words(watched: Guarded) -> None:
    http = watched.client("marked")
    found = search(http, FASTA, title=f"{TITLE} whole").json()["search"]
    watched.server.redis.set(SearchKeys(found).whole, FASTA)
    reply = http.get(f"/v1/searches/{found}/results?page_size=1")
    assert (reply.status_code, private_in(reply.text)) == (500, [])
    text = logged(watched, re.escape(f"(request {reply.headers['X-Request-ID']}) failed"))
    assert "/v1/searches/{search}/results" in text
    assert private_in(text) == []
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ("worker.cli", signal.SIGKILL),
        ("worker.cli", signal.SIGABRT),
        ("app", signal.SIGKILL),
        ("valkey", signal.SIGSEGV),
    ],
)
def test_death_of_a_part_leaves_nothing(watched: Guarded, what: str, number: signal.Signals) -> None:
    http = watched.client("marked")
    [pid] = watched.server.pids(what)
    search(http, FASTA, wait=None, title=f"{TITLE} {what} {number}")
    kill(pid, number)
    until(lambda: watched.server.pids(what) not in ([], [pid]))
    done = None
    while done is None or done.status_code != 200:
        try:
            done = search(http, FASTA, wait=PATIENCE_S, title=f"{TITLE} {what} {number}")
        except httpx.TransportError:
            continue
    assert private_in(logs(watched)) == []
    assert private_in(commands()) == []
