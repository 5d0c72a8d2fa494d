"""A database goes from one version to the next and back under a stream of searches."""

import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.end_to_end.server import COMMAND, PATIENCE_S, Server, running

DEMO = Path(__file__).parents[2] / "demo"
QUERY = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY"
ADDED = ">added later\nMKVLAAGWDEHHKLMNPQRSTVWYMKVLAAGWDEHHKLMNPQRSTVWY\n"
SUBJECTS = {"first": 3183, "second": 3184}


def command(server: Server, *arguments: str) -> "subprocess.CompletedProcess[str]":
    argv = [*COMMAND, "db", *arguments, "--data", str(server.data)]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service over the demo's proteins, version `first`; in `second` there is one more."""
    folder = tmp_path_factory.mktemp("rolling")
    (folder / "added.fasta").write_text(ADDED)
    makedb = [*COMMAND, "makedb", "--name", "demo", "--out", str(folder / "data"), "--shards", "2"]
    proteins = str(DEMO / "proteins.fasta.gz")
    for version, more in (("second", [str(folder / "added.fasta")]), ("first", [])):
        subprocess.run([*makedb, "--version", version, proteins, *more], check=True, capture_output=True)
    with running(Server(folder / "data")) as started:
        yield started


@dataclass
class Stream:
    """Searches one after the other, each anew: which version answered."""

    server: Server
    versions: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def ask(self) -> None:
        headers = {"Prefer": "wait=60", "Cache-Control": "no-cache"}
        with self.server.http as http:
            while not self.over.is_set():
                answer = http.post("/v1/searches", json={"sequence": QUERY, "database": "demo"}, headers=headers)
                if answer.status_code != 200:
                    self.wrong.append(answer.text)
                    return
                result = answer.json()
                version = result["database"]["version"]
                found = "added" in {hit["accession"] for hit in result["results"][0]["hits"]}
                if result["certificate"]["subjects"] != SUBJECTS[version] or found is not (version == "second"):
                    self.wrong.append(answer.text)
                self.versions.append(version)


def until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline


def test_forth_and_back_without_a_refusal(service: Server, queries: str) -> None:
    streams = [Stream(service), Stream(service)]
    threads = [threading.Thread(target=stream.ask) for stream in streams]
    try:
        for thread in threads:
            thread.start()
        until(lambda: all(stream.versions for stream in streams))
        under_way = service.post(queries * 2).json()
        for version in ("second", "first"):
            done = command(service, "use", "demo", version)
            assert (done.returncode, done.stdout) == (0, f"demo: searches use version {version}\n")
            until(lambda version=version: all(stream.versions[-1] == version for stream in streams))  # type: ignore[misc]
    finally:
        for stream in streams:
            stream.over.set()
        for thread in threads:
            thread.join()
    assert [stream.wrong for stream in streams] == [[], []]
    until(lambda: service.state(under_way["id"])["state"] == "succeeded")
    assert service.state(under_way["id"])["database"] == under_way["database"]
    assert under_way["database"]["version"] == "first"


def test_unknown_version_is_refused_with_those_there_are(service: Server) -> None:
    done = command(service, "use", "demo", "third")
    assert done.returncode == 1
    assert done.stderr == "shardwater: no version 'third' of database 'demo'; there are: first, second\n"


def test_version_removed_leaves_what_it_answered(service: Server) -> None:
    kept = service.search(QUERY)
    assert kept["database"]["version"] == "first"
    with service.http as http:
        place = f"/v1/searches/{kept['search']}/results"
        assert http.get(place, params={"format": "fasta"}).status_code == 200
        assert command(service, "use", "demo", "second").returncode == 0
        # Its workers have gone, and with them the version's last use.
        until(lambda: {each["version"] for each in http.get("/v1/workers").json()["items"]} == {"second"})
        assert command(service, "remove", "demo", "--version", "first").returncode == 0
        gone = http.get(place, params={"format": "fasta"})
        assert (gone.status_code, gone.json()["detail"]) == (404, "version first of database demo has been removed")
        assert http.get(place).json() == kept
        assert http.get(place, params={"format": "pairwise"}).status_code == 200
    assert service.search(QUERY)["database"]["version"] == "second"
