"""A database goes from one version to the next and back under a stream of searches."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from shardwater.database.build import build_database
from tests.support.server import Server, running, until
from worker.cli.main import cli

FASTA = ">one first protein\nMKVLAAGWDEHHKLMNPQRSTVWY\n>two\nMKVLAAGWMKVLAAGW\n>three\nHHKLMNPQRSTVWYACDEFG\n"
QUERY = ">q\nMKVLAAGWDEHHKLMNPQRSTVWY"
LONG = "".join(f">q{number}\n{'MKVLAAGWDEHHKLMNPQRSTVWY' * 40}\n" for number in range(500))
ADDED = ">added later\nMKVLAAGWDEHHKLMNPQRSTVWYMKVLAAGWDEHHKLMNPQRSTVWY\n"
SUBJECTS = {"first": 3, "second": 4}


def command(server: Server, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["db", *arguments, "--data", str(server.data)])


@dataclass
class Stream:
    """Searches one after the other, each anew: what answered."""

    server: Server
    results: list[dict[str, Any]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def version(self) -> str:
        """Of the last result."""
        return str(self.results[-1]["database"]["version"]) if self.results else ""

    def ask(self) -> None:
        headers = {"Prefer": "wait=60", "Cache-Control": "no-cache"}
        with self.server.http as http:
            while not self.over.wait(0.01):
                answer = http.post("/v1/searches", json={"sequence": QUERY, "database": "demo"}, headers=headers)
                if answer.status_code == 200:
                    self.results.append(answer.json())
                else:
                    self.refused.append(answer.text)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service over three proteins in two shards, version `first`; in `second` there is one more."""
    folder = tmp_path_factory.mktemp("rolling")
    for version, text in (("second", FASTA + ADDED), ("first", FASTA)):
        fasta = folder / f"{version}.fasta"
        fasta.write_text(text)
        build_database([fasta], folder / "data", name="demo", version=version, shards=2)
    with running(Server(folder / "data")) as started:
        yield started


@pytest.fixture(scope="module")
def stream(service: Server) -> Stream:
    """What was answered while the service went to `second` and back to `first`, with a long search under way."""
    stream = Stream(service)
    thread = threading.Thread(target=stream.ask)
    thread.start()
    try:
        until(lambda: stream.version == "first")
        under_way = service.post(LONG).json()
        for version in ("second", "first"):
            done = command(service, "use", "demo", version)
            assert (done.exit_code, done.stdout) == (0, f"demo: searches use version {version}\n")
            until(lambda version=version: stream.version == version)  # type: ignore[misc]
    finally:
        stream.over.set()
        thread.join()
    # It ends on the version that it was accepted for.
    until(lambda: service.state(under_way["id"])["state"] == "succeeded")
    assert service.state(under_way["id"])["database"] == under_way["database"]
    assert under_way["database"]["version"] == "first"
    return stream


def test_nobody_is_refused_and_no_result_is_of_two_versions(stream: Stream) -> None:
    assert stream.refused == []
    assert {result["database"]["version"] for result in stream.results} == {"first", "second"}
    for result in stream.results:
        version = result["database"]["version"]
        assert result["certificate"]["subjects"] == SUBJECTS[version]
        found = {hit["accession"] for hit in result["results"][0]["hits"]}
        assert ("added" in found) is (version == "second")


def test_unknown_version_is_refused_with_those_there_are(service: Server) -> None:
    done = command(service, "use", "demo", "third")
    assert done.exit_code == 1
    assert done.stderr == "shardwater: no version 'third' of database 'demo'; there are: first, second\n"


def test_version_removed_leaves_what_it_answered(service: Server, stream: Stream) -> None:
    kept = next(result for result in stream.results if result["database"]["version"] == "second")
    place = f"/v1/searches/{kept['search']}/results"
    with service.http as http:
        assert http.get(place, params={"format": "fasta"}).status_code == 200
        # Its workers have gone, and with them the version's last use.
        until(lambda: {each["version"] for each in http.get("/v1/workers").json()["items"]} == {"first"})
        assert command(service, "remove", "demo", "--version", "second").exit_code == 0
        gone = http.get(place, params={"format": "fasta"})
        assert (gone.status_code, gone.json()["detail"]) == (404, "version second of database demo has been removed")
        assert http.get(place).json() == kept
        assert http.get(place, params={"format": "pairwise"}).status_code == 200
