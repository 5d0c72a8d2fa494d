"""A service whose database is replaced, or whose queue is killed, under it."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from shardwater.database.catalog import Catalog
from tests.support.server import COMMAND, PATIENCE_S, Server, make_database, running

OLD = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGWMKVLAAGW\n>three\nHHKLMNPQRSTVWYACDEFG\n"
NEW = OLD + ">four added later\nMKVLAAGWDEHHKLMNPQRSTVWYMKVLAAGWDEHHKLMNPQRSTVWY\n"
QUERY = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service over three proteins in two shards."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "old.fasta").write_text(OLD)
    (folder / "new.fasta").write_text(NEW)
    make_database(folder / "old.fasta", folder / "data")
    with running(Server(folder / "data")) as started:
        yield started


def ask(http: httpx.Client) -> httpx.Response:
    """Search anew, whatever was searched before."""
    headers = {"Prefer": "wait=60", "Cache-Control": "no-cache"}
    return http.post("/v1/searches", json={"sequence": QUERY, "database": "demo"}, headers=headers)


def accessions(result: dict[str, Any]) -> list[str]:
    return [hit["accession"] for hit in result["results"][0]["hits"]]


def test_new_version_takes_over_without_a_refusal(small: Server) -> None:
    catalog = Catalog(small.data)
    before = ask_until_answered(small)
    old = catalog.current_version("demo")
    command = [*COMMAND, "makedb", str(small.data.parent / "new.fasta"), "--name", "demo", "--out", str(small.data)]
    versions = []
    with (
        subprocess.Popen([*command, "--shards", "2"], stdout=subprocess.PIPE) as builder,
        small.http as http,
    ):
        deadline = time.monotonic() + PATIENCE_S
        while not versions or versions[-1] == old:
            assert time.monotonic() < deadline
            answer = ask(http)
            assert answer.status_code == 200, answer.text
            result = answer.json()
            versions.append(result["database"]["version"])
            # Each answer is of one version, whole.
            assert ("four" in accessions(result)) is (versions[-1] != old)
            assert result["certificate"]["subjects"] == (3 if versions[-1] == old else 4)
        builder.communicate()
        assert builder.returncode == 0
        new = catalog.current_version("demo")
        assert (versions[0], versions[-1]) == (old, new)
        assert old != new
        for _ in range(5):
            assert ask(http).json()["database"]["version"] == new
        assert http.get("/v1/databases/demo").json()["version"] == new
        place = f"/v1/searches/{before['search']}/results"
        assert http.get(place).json() == before
        # The old version is still there, with its sequences.
        assert http.get(place, params={"format": "fasta"}).text.count(">") == len(accessions(before)) == 3


def ask_until_answered(server: Server) -> dict[str, Any]:
    """A search's result, from a service that may be away for a while and says so."""
    deadline = time.monotonic() + PATIENCE_S
    with server.http as http:
        while (answer := ask(http)).status_code != 200:
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5"), answer.text
            assert time.monotonic() < deadline
    return answer.json()


def test_sequences_of_files_that_were_written_to_are_not_given_out(small: Server) -> None:
    result = ask_until_answered(small)
    place, used = f"/v1/searches/{result['search']}/results", result["database"]
    file = small.data / used["name"] / used["version"] / "residues.bin"
    before = file.read_bytes()
    with small.http as http:
        assert http.get("/v1/databases/demo/sequences/two").text == ">two\nMKVLAAGWMKVLAAGW\n"
        file.chmod(0o644)
        file.write_bytes(bytes([before[0] ^ 1]) + before[1:])
        for address in ("/v1/databases/demo/sequences/two", f"{place}?format=fasta"):
            refused = http.get(address)
            assert (refused.status_code, refused.json()["type"]) == (500, "urn:shardwater:problem:internal-error")
            assert refused.json()["detail"].startswith("the database cannot be read")
        file.write_bytes(before)
        assert http.get("/v1/databases/demo/sequences/two").text == ">two\nMKVLAAGWMKVLAAGW\n"


def test_killed_queue_is_started_again_and_remembers(small: Server) -> None:
    before = ask_until_answered(small)
    [killed] = small.pids("valkey")
    os.kill(killed, signal.SIGKILL)
    after = ask_until_answered(small)
    assert after["search"] != before["search"]
    assert after["results"] == before["results"]
    [replaced] = small.pids("valkey")
    assert replaced != killed
    with small.http as http:
        assert http.get(f"/v1/searches/{before['search']}/results").json() == before
        assert http.get("/readyz").json()["ready"] is True
