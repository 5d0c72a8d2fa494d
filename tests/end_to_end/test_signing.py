"""A service that signs: its key is known, its results carry its signature, whoever merges or reads them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from shardwater_client import Client, check_result
from tests.support.command_line import here, refused, shardwater
from tests.support.server import FASTA, Server, make_database, running

QUERIES = ">q1\nMKVLAAGWDEHHKLM\n>q2\nWYACDEFG\n"


@pytest.fixture(scope="module")
def signing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service over three proteins, with a key of its own."""
    folder = tmp_path_factory.mktemp("signing")
    (folder / "small.fasta").write_text(FASTA)
    (folder / "queries.fasta").write_text(QUERIES)
    key = Ed25519PrivateKey.generate()
    (folder / "signing.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    make_database(folder / "small.fasta", folder / "data", shards=1)
    with running(
        Server(folder / "data", environment={"SHARDWATER_SIGNING_KEY_FILE": str(folder / "signing.pem")})
    ) as up:
        yield up


@pytest.fixture(scope="module")
def public(signing: Server) -> Path:
    """The service's public key, as it tells it."""
    with signing.http as http:
        told = http.get("/v1/service-info").json()["signing"]
    assert told["algorithm"] == "Ed25519"
    file = signing.data.parent / "public.pem"
    file.write_text(told["public_key"])
    return file


def test_result_is_signed_and_its_parts_are_not(signing: Server, public: Path) -> None:
    result = signing.search(QUERIES, evalue=1e9)
    assert check_result(result, public.read_text()) == result["digest"]
    with signing.http as http:
        place = f"/v1/searches/{result['search']}/results"
        lines = [json.loads(line) for line in http.get(f"{place}?format=ndjson").text.splitlines()]
        assert [line["signature"] for line in lines] == [None, None]
        parts = [http.get(place, params={"query": number}).json() for number in (1, 2)]
        assert parts == lines
        assert len({check_result(each) for each in (result, *lines)}) == 3
        some = http.get(place, params={"query": 1, "hits": "1"}).json()
        assert check_result(some) not in (None, lines[0]["digest"])
        page = http.get(place, params={"query": 1, "page_size": 1}).json()
        assert check_result(page) is None
        assert http.get(place).json() == result


def test_search_here_has_the_digest_of_the_service(signing: Server, public: Path) -> None:
    result = signing.search(QUERIES, evalue=1e9, max_target_seqs=7, alignments=7)
    folder = signing.data.parent
    arguments = ("-query", folder / "queries.fasta", "-db", "demo", "-evalue", "1e9", "-max_target_seqs", "7")
    own = {"SHARDWATER_SIGNING_KEY_FILE": str(folder / "signing.pem")}
    found = shardwater("search", *arguments, "--data", signing.data, "-outfmt", "json", environment=own)
    assert json.loads(found.stdout)["digest"] == result["digest"]
    assert check_result(found.stdout, public.read_text()) == result["digest"]
    there = shardwater("search", *arguments, "--server", signing.url, "-outfmt", "json")
    assert json.loads(there.stdout) == result


def test_format_checks_the_signature(signing: Server, public: Path, tmp_path: Path) -> None:
    result = signing.search(QUERIES, title="to be formatted")
    saved, edited, unsigned = tmp_path / "saved.json", tmp_path / "edited.json", tmp_path / "unsigned.json"
    saved.write_text(json.dumps(result))
    assert here("format", saved, "-outfmt", "6", "--verify-with", public).returncode == 0
    unsigned.write_text(json.dumps({**result, "signature": None}))
    assert refused(here("format", unsigned, "--verify-with", public)) == f"{unsigned}: it is not signed"
    assert here("format", unsigned, "-outfmt", "6").returncode == 0
    result["results"][0]["hits"][0]["title"] = "another"
    edited.write_text(json.dumps(result))
    assert "it was changed after it was made" in refused(here("format", edited, "--verify-with", public))
    line = refused(here("format", saved, "--verify-with", signing.data.parent / "signing.pem"))
    assert line == f"{signing.data.parent / 'signing.pem'}: it has no public key as PEM"


def test_client_reads_signed_results(signing: Server) -> None:
    with Client(signing.url) as client:
        result = client.search(QUERIES, database="demo", title="by the client")
        assert result.digest == check_result(result.data.to_dict())
        assert client.service_info().signing


def test_key_that_cannot_be_used_stops_the_start(tmp_path: Path, signing: Server) -> None:
    own = {"SHARDWATER_SIGNING_KEY_FILE": str(tmp_path / "none.pem")}
    line = refused(shardwater("serve", "--data", signing.data, environment=own))
    assert line == f"SHARDWATER_SIGNING_KEY_FILE is '{tmp_path}/none.pem': No such file or directory"
