"""API keys: without one nobody comes in, each opens what its scopes say, and its end is at once."""

import re
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from app.compat.colabfold.words import ASKED
from tests.support.guarded import QUERY, Guarded, search
from tests.support.problems import problem
from tests.support.routes import OPEN, routes
from tests.support.server import COMMAND
from worker.access.api_keys import KeyNotFound


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


PAGES = ("/searches/", "/comparisons/", "/msas/", "/alignments/")


def test_every_route_that_is_not_open_asks_for_a_key(guarded: Guarded) -> None:
    http = guarded.anybody()
    closed = [route for route in routes() if route not in OPEN]
    assert len(closed) > 30
    for method, path in closed:
        # A page says it in words.
        headers = {"Accept": "application/json"} if path.startswith(PAGES) else {}
        reply = http.request(method, re.sub(r"[{}]|:path", "", path), headers=headers)
        if path in ASKED:
            assert (reply.status_code, reply.json()["status"]) == (401, "ERROR")
        else:
            problem(reply, 401, "unauthenticated")
        assert reply.headers["WWW-Authenticate"] == 'Bearer realm="shardwater"', path
    assert {http.get(f"{page}any").status_code for page in PAGES} == {401}
    problem(http.get("/no/such/path"), 401, "unauthenticated")
    problem(http.get("/v1/searches/"), 401, "unauthenticated")


def test_what_is_open_is_answered_without_a_key(guarded: Guarded) -> None:
    http = guarded.anybody()
    pages = ("/", "/compare", "/msas", "/align", "/history", "/docs", "/help")
    for path in (*pages, "/healthz", "/readyz", "/openapi.json", "/assets/page.js"):
        assert http.get(path).status_code == 200, path


def test_key_opens_what_its_scope_says(guarded: Guarded) -> None:
    assert search(guarded.client("lab")).status_code == 200
    for path in ("/metrics", "/v1/workers"):
        reply = guarded.client("lab").get(path)
        problem(reply, 403, "forbidden")
        assert (
            reply.headers["WWW-Authenticate"] == 'Bearer realm="shardwater", error="insufficient_scope", scope="admin"'
        )
        assert guarded.client("boss", "admin").get(path).status_code in (200, 404)
    writer = guarded.client("lab", "databases:write")
    problem(search(writer), 403, "forbidden")
    assert search(guarded.client("lab", "databases:write", "search")).status_code == 200


def test_refusal_says_where_a_key_goes(guarded: Guarded) -> None:
    told = {
        "none": problem(guarded.anybody().get("/v1/databases"), 401, "unauthenticated")["detail"],
        "basic": problem(guarded.anybody({"Authorization": "Basic x"}).get("/v1/databases"), 401, "unauthenticated")[
            "detail"
        ],
        "wrong": problem(guarded.anybody(bearer("sw_x")).get("/v1/databases"), 401, "unauthenticated")["detail"],
    }
    for word in ("Authorization: Bearer sw_", "SHARDWATER_API_KEY", "sign in"):
        assert word in told["none"]
    assert told["basic"] == "Authorization has no key: `Bearer sw_...` is one"
    assert told["wrong"] == "the key is unknown, revoked or expired"


@pytest.mark.parametrize("change", ["secret", "id", "cut", "empty", "other", "basic"])
def test_wrong_key_is_refused_and_not_repeated(guarded: Guarded, change: str) -> None:
    key = guarded.key("lab")
    wrong = {
        "secret": bearer(key[:-1] + ("A" if key[-1] != "A" else "B")),
        "id": bearer(key[:3] + ("a" if key[3] != "a" else "b") + key[4:]),
        "cut": bearer(key[:-1]),
        "empty": {"Authorization": "Bearer"},
        "other": bearer("something else"),
        "basic": {"Authorization": f"Basic {key}"},
    }[change]
    reply = guarded.anybody(wrong).get("/v1/databases")
    problem(reply, 401, "unauthenticated")
    assert reply.headers["WWW-Authenticate"] == 'Bearer realm="shardwater", error="invalid_token"'
    assert key[16:-1] not in reply.text


def test_redis_holds_no_secret(guarded: Guarded) -> None:
    key = guarded.key("lab")
    secret = key.partition("_")[2].partition("_")[2]
    redis = guarded.server.redis
    kept = [(name, redis.dump(name)) for name in redis.scan_iter("*")]
    assert len(kept) > 2
    assert not [name for name, value in kept if secret.encode() in name + (value or b"")]


def test_key_ends_when_it_expires(guarded: Guarded) -> None:
    issued = guarded.keys.create("lab", ("search",), timedelta(seconds=1))
    http = guarded.anybody(bearer(issued.text))
    statuses = []
    while 401 not in statuses:
        statuses.append(http.get("/v1/databases").status_code)
    assert set(statuses) <= {200, 401}
    assert issued.key.id not in [key.id for key in guarded.keys.all()]


def test_rotated_key_goes_on_for_the_overlap_and_the_new_one_sees_the_same(guarded: Guarded) -> None:
    old = guarded.keys.create("rotating", ("search",), timedelta(days=9))
    found = search(guarded.anybody(bearer(old.text))).json()["search"]
    new = guarded.keys.rotate(old.key.prefix, timedelta(seconds=1))
    assert (new.key.owner, new.key.scopes) == (old.key.owner, old.key.scopes)
    assert new.key.expires is not None
    assert timedelta(days=8) < new.key.expires - new.key.created <= timedelta(days=9)
    assert guarded.anybody(bearer(new.text)).get(f"/v1/searches/{found}").status_code == 200
    http = guarded.anybody(bearer(old.text))
    statuses = []
    while 401 not in statuses:
        statuses.append(http.get(f"/v1/searches/{found}").status_code)
    assert set(statuses) <= {200, 401}
    assert guarded.anybody(bearer(new.text)).get(f"/v1/searches/{found}").status_code == 200


def test_overlap_does_not_prolong_a_key(guarded: Guarded) -> None:
    old = guarded.keys.create("brief", ("search",), timedelta(minutes=5))
    guarded.keys.rotate(old.key.id, timedelta(days=1))
    [kept] = [key for key in guarded.keys.all() if key.id == old.key.id]
    assert kept.expires == old.key.expires


def test_revoked_key_is_nothing_at_once(guarded: Guarded) -> None:
    issued = guarded.keys.create("gone", ("search",), None)
    http = guarded.anybody(bearer(issued.text))
    assert http.get("/v1/databases").status_code == 200
    guarded.keys.revoke(issued.key.prefix)
    problem(http.get("/v1/databases"), 401, "unauthenticated")
    with pytest.raises(KeyNotFound):
        guarded.keys.revoke(issued.key.prefix)


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*COMMAND, "key", *arguments], capture_output=True, text=True, check=False)


def test_command_line_makes_lists_rotates_and_revokes(guarded: Guarded) -> None:
    data = ("--data", str(guarded.server.data))
    made = run("create", "--name", "cli@lab", "--scope", "search", "--scope", "admin", "--expires", "90d", *data)
    key = made.stdout.strip()
    prefix = "_".join(key.split("_")[:2])
    assert (made.returncode, guarded.anybody(bearer(key)).get("/v1/databases").status_code) == (0, 200), made.stderr
    assert f"{prefix} of cli@lab: search admin, expires 2" in made.stderr
    secret = key.removeprefix(prefix)
    rotated = run("rotate", prefix, "--overlap", "0m", *data)
    assert guarded.anybody(bearer(rotated.stdout.strip())).get("/v1/databases").status_code == 200
    problem(guarded.anybody(bearer(key)).get("/v1/databases"), 401, "unauthenticated")
    listed = run("list", *data).stdout
    assert "cli@lab" in listed
    assert prefix not in listed
    revoked = run("revoke", "_".join(rotated.stdout.split("_")[:2]), *data)
    assert revoked.returncode == 0
    problem(guarded.anybody(bearer(rotated.stdout.strip())).get("/v1/databases"), 401, "unauthenticated")
    assert "cli@lab" not in run("list", *data).stdout
    assert secret not in made.stderr + rotated.stderr + listed + revoked.stderr + "".join(guarded.server.lines)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("create", "--name", "two words"), "without blanks"),
        (("create", "--name", "lab", "--scope", "everything"), "search, databases:write, admin"),
        (("create", "--name", "lab", "--expires", "soon"), "as 90d"),
        (("create", "--name", "lab", "--redis", "redis://:hunter2@queue/0"), "SHARDWATER_REDIS_PASSWORD_FILE"),
    ],
)
def test_command_line_says_what_is_wrong(arguments: tuple[str, ...], told: str) -> None:
    done = run(*arguments)
    assert done.returncode in (1, 2)
    assert told in " ".join(done.stderr.replace("│", " ").split())
    assert "hunter2" not in done.stderr + done.stdout


def test_keys_are_made_before_the_service_first_runs(tmp_path: Path) -> None:
    made = run("create", "--name", "early", "--data", str(tmp_path))
    assert (made.returncode, "early" in run("list", "--data", str(tmp_path)).stdout) == (0, True)


def test_key_is_asked_for_with_an_answer_for_any_body(guarded: Guarded) -> None:
    """The refusal comes before the body is read."""
    reply = guarded.anybody().post("/v1/searches", content=b"x" * 1_000_000, headers={"Content-Type": "text/plain"})
    problem(reply, 401, "unauthenticated")
    assert QUERY.splitlines()[1] not in reply.text
