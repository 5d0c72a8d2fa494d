"""MSAs over HTTP: asked for, followed, shown in every format, shared, cancelled, deleted; and what may go wrong."""

import io
import json
import shutil
import signal
import tarfile
from collections.abc import Iterator
from os import kill
from typing import Any

import httpx
import pytest

from shardwater.formats.msas.a3m import read_a3m
from shardwater.formats.msas.json_text import read_json
from shardwater.formats.msas.stockholm import read_stockholm
from shardwater.formats.msas.writers import MSA_FORMATS
from shardwater.sequences.fasta import Record, read_fasta
from tests.support.events import events
from tests.support.guarded import standing
from tests.support.problems import problem
from tests.support.server import PATIENCE_S, Server, until

WAIT = {"Prefer": "wait=60"}


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def chains(queries: str) -> list[Record]:
    """The two shortest, in small and in capital letters."""
    first, second, *_ = sorted(read_fasta(queries.encode()), key=lambda record: len(record.residues))
    return [Record("first one", first.residues), Record("second two", second.residues.lower())]


def text(*records: Record) -> str:
    return "".join(f">{record.header}\n{record.residues.decode()}\n" for record in records)


def ended(http: httpx.Client, **asked: Any) -> dict[str, Any]:
    """MSAs that were asked for, waited for."""
    accepted = http.post("/v1/msas", json={"databases": ["demo"], "iterations": 2, **asked})
    assert accepted.status_code == 202, accepted.text
    place = accepted.headers["Location"]
    assert place == accepted.json()["links"]["self"]
    until(lambda: http.get(place).json()["state"] not in ("queued", "running"))
    found: dict[str, Any] = http.get(place).json()
    assert found["state"] == "succeeded", found["error"]
    return found


@pytest.fixture(scope="module")
def two(http: httpx.Client, chains: list[Record]) -> dict[str, Any]:
    return ended(http, queries=text(*chains), then=["demo"], title="two chains")


def test_what_is_odd_about_a_chain_is_told(http: httpx.Client) -> None:
    [chain] = ended(http, queries=f">dna\n{'ACGT' * 20}\n")["chains"]
    assert "looks-like-dna" in [each["code"] for each in chain["stages"][0]["warnings"]]


def test_it_is_told_how_they_stand(two: dict[str, Any], chains: list[Record]) -> None:
    assert (two["title"], two["progress"], two["phase"], two["error"]) == ("two chains", 1.0, None, None)
    assert two["parts"] == {"done": 2, "total": 2}
    assert [(one["number"], one["complex"], one["id"], one["title"], one["length"]) for one in two["chains"]] == [
        (1, 1, "first", "one", len(chains[0].residues)),
        (2, 2, "second", "two", len(chains[1].residues)),
    ]
    asked = {"databases": ["demo"], "then": ["demo"], "filter": "diverse", "pairing": "none", "max_sequences": 10_000}
    assert {name: two["parameters"][name] for name in asked} == asked
    for one in two["chains"]:
        assert [stage["warnings"] for stage in one["stages"]] == [[], []]
        assert [len(stage["rounds"]) for stage in one["stages"]] == [2, 1]
        assert all(0 < stage["kept"] <= stage["found"] for stage in one["stages"])


@pytest.mark.parametrize("form", MSA_FORMATS)
def test_every_format_has_the_same_rows(
    http: httpx.Client, two: dict[str, Any], chains: list[Record], form: str
) -> None:
    kept = two["chains"][1]["stages"][0]["kept"]
    place = two["links"]["results"]
    reply = http.get(place, params={"chain": 2, "format": form})
    assert reply.headers["Content-Type"].partition(";")[0] == MSA_FORMATS[form].media_type.partition(";")[0]
    assert reply.headers["Content-Disposition"].endswith(f'2.second{MSA_FORMATS[form].ending}"')
    named = http.get(place, params={"chain": 2}, headers={"Accept": MSA_FORMATS[form].media_type})
    assert (named.content, named.headers["Vary"]) == (reply.content, "Accept, Accept-Encoding")
    head = http.head(place, params={"chain": 2, "format": form})
    assert (head.headers["Content-Disposition"], head.content) == (reply.headers["Content-Disposition"], b"")
    readers = {"a3m": read_a3m, "stockholm": read_stockholm, "json": read_json}
    if form in readers:
        msa = readers[form](io.BytesIO(reply.content))
        assert (msa.query.id, msa.query.residues) == ("second", chains[1].residues.upper())
        assert len(msa) == kept
        assert msa.provenance is not None
        assert [each.name for each in msa.provenance.databases] == ["demo"]
    elif form == "fasta":
        assert reply.text.count(">") == kept + 1
    else:
        assert len(reply.text.splitlines()) == kept


def test_the_service_tells_its_formats_of_msas(http: httpx.Client) -> None:
    assert http.get("/v1/service-info").json()["msa_formats"] == ["a3m", "stockholm", "fasta", "m8", "json"]


def test_all_chains_come_as_an_archive_and_as_lines(http: httpx.Client, two: dict[str, Any]) -> None:
    place = two["links"]["results"]
    each = [http.get(place, params={"chain": number, "format": "a3m"}).content for number in (1, 2)]
    packed = http.get(place)
    assert packed.headers["Content-Type"] == "application/gzip"
    assert packed.headers["Content-Disposition"].endswith('.tar.gz"')
    with tarfile.open(fileobj=io.BytesIO(packed.content)) as tar:
        names = tar.getnames()
        assert names == ["1.first.a3m", "2.second.a3m"]
        assert [tar.extractfile(name).read() for name in names] == each  # type: ignore[union-attr]
    lines = http.get(place, params={"format": "json"})
    assert lines.headers["Content-Type"].partition(";")[0] == "application/x-ndjson"
    found = [json.loads(line) for line in lines.text.splitlines()]
    assert [one["query"]["header"] for one in found] == ["first one", "second two"]
    assert found[0] == http.get(place, params={"format": "json", "chain": 1}).json()


def test_the_second_list_has_an_msa_of_its_own(http: httpx.Client, two: dict[str, Any]) -> None:
    place = two["links"]["results"]
    replies = [http.get(place, params={"chain": 1, "format": "a3m", "of": of}) for of in ("databases", "then")]
    first, then = (read_a3m(io.BytesIO(reply.content)) for reply in replies)
    called = [reply.headers["Content-Disposition"] for reply in replies]
    assert [name.endswith(end) for name, end in zip(called, ('1.first.a3m"', '1.first.then.a3m"'), strict=True)] == [
        True
    ] * 2
    assert [len(first), len(then)] == [stage["kept"] for stage in two["chains"][0]["stages"]]


def test_a_chain_is_searched_for_once(http: httpx.Client, two: dict[str, Any], chains: list[Record]) -> None:
    again = {"queries": text(*chains), "databases": ["demo"], "iterations": 2, "then": ["demo"], "title": "two chains"}
    answered = http.post("/v1/msas", json=again, headers=WAIT)
    assert (answered.status_code, answered.headers["Preference-Applied"]) == (200, "wait=60")
    assert answered.headers["Location"] == two["links"]["self"]
    assert answered.headers["Content-Type"] == "application/gzip"
    # The same letters, in other complexes and under other names.
    complexes = [{"chains": [one.residues.decode().upper() for one in chains]} for _ in range(2)]
    other = ended(http, queries=complexes, then=["demo"])
    assert other["id"] != two["id"]
    assert other["parts"]["total"] == 2
    assert [one["complex"] for one in other["chains"]] == [1, 1, 2, 2]
    assert [one["stages"] for one in other["chains"]] == [one["stages"] for one in two["chains"]] * 2
    one = http.post("/v1/msas", json=again | {"queries": text(chains[0]), "title": ""}, headers=WAIT)
    assert read_a3m(io.BytesIO(one.content)).query.id == "first"


@pytest.mark.parametrize("accept", ["*/*", *(each.media_type for each in MSA_FORMATS.values())])
@pytest.mark.parametrize("count", [1, 2])
def test_who_waits_gets_what_accept_says(http: httpx.Client, chains: list[Record], count: int, accept: str) -> None:
    asked = {"queries": text(*chains[:count]), "databases": ["demo"], "iterations": 1}
    answered = http.post("/v1/msas", json=asked, headers={**WAIT, "Accept": accept})
    assert answered.status_code == 200
    results = http.get(f"{answered.headers['Location']}/results", headers={"Accept": accept})
    for name in ("Content-Type", "Content-Disposition", "Vary"):
        assert answered.headers[name] == results.headers[name]
    assert answered.content == results.content


def test_what_no_format_will_do_for_is_not_searched(http: httpx.Client) -> None:
    asked = {"queries": "MKV", "databases": ["demo"], "title": "no picture"}
    problem(http.post("/v1/msas", json=asked, headers={**WAIT, "Accept": "image/png"}), 406, "not-acceptable")
    assert "no picture" not in [one["title"] for one in http.get("/v1/msas?page_size=1000").json()["items"]]
    # Who does not wait gets the job, whatever is accepted.
    assert http.post("/v1/msas", json=asked, headers={"Accept": "image/png"}).status_code == 202


def test_pairs_have_as_many_rows_of_each_chain(taxa_server: Server, chains: list[Record]) -> None:
    with taxa_server.http as http:
        asked = [{"chains": [text(chains[0]), text(chains[1]), text(chains[0])]}]
        paired = ended(http, queries=asked, pairing="greedy", evalue=10, filter="none")
        place = paired["links"]["results"]
        with tarfile.open(fileobj=io.BytesIO(http.get(place, params={"pairs": True}).content)) as tar:
            rows = [tar.extractfile(name).read().count(b"\n>") for name in tar.getnames()]  # type: ignore[union-attr]
        assert len(rows) == 3
        assert len(set(rows)) == 1
        assert http.get(place, params={"pairs": True, "chain": 2}).text.count("\n>") == rows[0]
        refused = problem(http.get(place, params={"pairs": True, "of": "then"}), 422, "invalid-parameter")
        assert refused["errors"][0]["parameter"] == "pairs"


def test_events_tell_the_way_to_the_end(http: httpx.Client, chains: list[Record]) -> None:
    asked = {"queries": text(*chains), "databases": ["demo"], "iterations": 3}
    place = http.post("/v1/msas", json=asked, headers={"Cache-Control": "no-cache"}).json()["links"]["events"]
    with http.stream("GET", place) as reply:
        heard = list(events(reply))
    assert heard[0]["event"] in ("state", "done")
    assert heard[-1]["event"] == "done"
    assert heard[-1].json["state"] == "succeeded"
    assert [len(one["stages"]) for one in heard[-1].json["chains"]] == [1, 1]
    assert [one["id"] for one in heard[0].json["chains"]] == ["first", "second"]
    assert http.get(place, headers={"Last-Event-ID": heard[-1]["id"]}).status_code == 204


def test_lists_have_no_chains(http: httpx.Client, two: dict[str, Any]) -> None:
    page = http.get("/v1/msas", params={"state": "succeeded", "page_size": 1000}).json()
    [listed] = [item for item in page["items"] if item["id"] == two["id"]]
    assert listed == two | {"chains": [], "parameters": None}
    assert two["id"] not in [one["id"] for one in http.get("/v1/searches?page_size=1000").json()["items"]]


def test_cancelled_msas_have_no_results(server: Server, http: httpx.Client, chains: list[Record]) -> None:
    asked = {"queries": text(*chains), "databases": ["demo"], "iterations": 4}
    with standing(server):
        job = http.post("/v1/msas", json=asked).json()
        place = job["links"]["self"]
        assert (job["state"], job["parts"]["total"]) == ("queued", 2)
        problem(http.get(f"{place}/results"), 409, "not-ready")
        assert http.post(f"{place}:cancel").status_code == 202
        assert http.post(f"{place}:cancel").status_code == 200
        assert http.get(place).json()["state"] == "cancelled"
        problem(http.get(f"{place}/results"), 409, "search-failed")
    assert http.delete(place).status_code == 204
    problem(http.get(place), 404, "not-found")
    problem(http.delete(place), 404, "not-found")


def test_deleted_msas_leave_no_files(server: Server, http: httpx.Client, chains: list[Record]) -> None:
    folder = server.data / ".work" / "jobs" / "kept"
    before = set(folder.iterdir())
    # What other tests of this server have asked for would be there before.
    place = ended(http, queries=text(*chains), evalue=0.0511)["links"]["self"]
    problem(http.post(f"{place}:cancel"), 409, "already-finished")
    made = set(folder.iterdir()) - before
    assert len([path for path in made if path.name.startswith("chain-")]) == 2
    assert http.delete(place).status_code == 204
    assert not [path for path in made if path.exists()]


def test_damaged_files_are_told_before_anything_is_sent(
    server: Server, http: httpx.Client, chains: list[Record]
) -> None:
    folder = server.data / ".work" / "jobs" / "kept"
    before = set(folder.iterdir())
    place = ended(http, queries=text(chains[0]), evalue=0.0411)["links"]["results"]
    [chain] = [path for path in set(folder.iterdir()) - before if path.name.startswith("chain-")]
    (chain / "msas" / "0" / "about.json").write_text("{")
    refused = problem(http.get(place), 500, "internal-error")
    assert refused["detail"].endswith("is damaged: ask for it again, and it is made anew")
    assert http.head(place).status_code == 200


@pytest.mark.parametrize("damage", ["gone", "empty"])
def test_a_damaged_chain_is_made_anew_for_who_asks_again(
    server: Server, http: httpx.Client, chains: list[Record], damage: str
) -> None:
    folder = server.data / ".work" / "jobs" / "kept"
    before, asked = (
        set(folder.iterdir()),
        {"queries": text(chains[0]), "evalue": {"gone": 0.0311, "empty": 0.0211}[damage]},
    )
    one = ended(http, **asked)
    sound = http.get(one["links"]["results"]).content
    [chain] = [path for path in set(folder.iterdir()) - before if path.name.startswith("chain-")]
    if damage == "gone":
        shutil.rmtree(chain)
    else:
        (chain / "msas" / "0" / "figures.npy").write_bytes(b"")
    for path in ("results", "columns"):
        told = problem(http.get(f"{one['links']['self']}/{path}"), 500, "internal-error")
        assert "is made anew" in told["detail"]
    anew = ended(http, **asked)
    assert (anew["reused"], anew["id"] != one["id"]) == (False, True)
    assert http.get(anew["links"]["results"]).content == sound
    # That is there for the next one.
    assert ended(http, **asked)["id"] == anew["id"]


def test_headers_of_chains_have_bounds(http: httpx.Client) -> None:
    long, fits = "h" * 10_001, "h" * 9_999
    chain, most = f">{long}\nMKVLAAGW\n", f">{fits}\nMKVLAAGW\n"
    for queries, place in (
        (most + chain, "record 2"),
        ([{"chains": ["MKV"]}, {"chains": ["MKV", chain]}], "complex 2, chain 2"),
    ):
        told = problem(http.post("/v1/msas", json={"queries": queries, "databases": ["demo"]}), 422, "invalid-sequence")
        assert told["detail"] == f"{place}: the header of a chain has 10,000 bytes at most"
        assert told["errors"][0]["pointer"] == "/queries"
    for queries, place in ((most * 101, "record 101"), ([{"chains": [most] * 51}] * 2, "complex 2, chain 50")):
        told = problem(http.post("/v1/msas", json={"queries": queries, "databases": ["demo"]}), 422, "invalid-sequence")
        assert told["detail"] == f"{place}: the headers of all chains have 1,000,000 bytes at most"


def test_what_is_told_of_a_chain_has_bounds_and_its_rows_have_its_name(
    http: httpx.Client, chains: list[Record]
) -> None:
    named = Record(f"{'n' * 300} {'t' * 300}", chains[0].residues)
    job = ended(http, queries=text(named))
    [chain] = job["chains"]
    assert (chain["id"], chain["title"], chain["length"]) == ("n" * 200, "t" * 200, len(named.residues))
    [stage] = chain["stages"]
    for told in stage["rounds"]:
        assert told["kept"] + told["new"] == told["included"]
        assert told["lost"] >= 0
    assert read_a3m(io.BytesIO(http.get(job["links"]["results"]).content)).query.header == named.header


def test_a_head_says_nothing_of_a_length_that_is_not_known(http: httpx.Client, two: dict[str, Any]) -> None:
    place = two["links"]["results"]
    for wanted in ({}, {"chain": 1}, {"format": "json"}):
        head = http.head(place, params=wanted)
        assert (head.status_code, "Content-Length" in head.headers) == (200, False)


@pytest.mark.parametrize(
    ("asked", "status", "name", "words"),
    [
        ({"queries": ""}, 422, "invalid-sequence", "no sequence"),
        ({"queries": ">a\nMK1\n"}, 422, "invalid-sequence", "'1'"),
        ({"queries": "MKV:MKL"}, 422, "invalid-sequence", "the chains of a complex are a list, [{"),
        ({"queries": [{"chains": ["MKV:MKL"]}]}, 422, "invalid-sequence", "the chains of a complex are a list, [{"),
        ({"queries": [{"chains": ["MKV", ">a\nMK\n>b\nMK\n"]}]}, 422, "invalid-sequence", "complex 1, chain 2"),
        ({"queries": []}, 422, "invalid-parameter", "queries: 1 or more are needed, not 0"),
        ({"queries": [{"chains": []}]}, 422, "invalid-parameter", "chains"),
        ({"queries": [{"chains": ["MK"] * 101}]}, 422, "invalid-parameter", "100"),
        ({"queries": "MKV", "databases": []}, 422, "invalid-parameter", "databases"),
        ({"queries": "MKV", "databases": ["demo", "demo"]}, 422, "invalid-parameter", "databases"),
        ({"queries": "MKV", "databases": ["none"]}, 422, "invalid-parameter", "demo"),
        ({"queries": "MKV", "then": ["none"]}, 422, "invalid-parameter", "demo"),
        ({"queries": "MKV", "pairing": "greedy"}, 422, "invalid-parameter", "complexes"),
        ({"queries": "MKV", "max_sequences": 0}, 422, "invalid-parameter", "max_sequences"),
        ({"queries": "MKV", "iterations": 21}, 422, "invalid-parameter", "iterations"),
        ({"queries": "MKV", "title": "a\nb"}, 422, "invalid-parameter", "one line"),
        ({"queries": "MKV", "other": 1}, 422, "invalid-parameter", "other"),
        ({"queries": ">a\nM\n" * 1001}, 413, "limit-exceeded", "max_queries"),
        ({"queries": [{"chains": [">a\nM\n" * 1001]}]}, 413, "limit-exceeded", "max_queries"),
        ({"queries": [{"chains": ["M"] * 100}] * 11}, 413, "limit-exceeded", "max_queries"),
        ({"queries": "M" * 50_001}, 413, "limit-exceeded", "max_query_length"),
        ({"queries": [{"chains": ["M"]}] * 5000}, 400, "malformed-request", "few fields"),
        ({"queries": [{"chains": ["M"]}, {}]}, 422, "invalid-parameter", "queries: complex 2, chains: it is missing"),
        ({"queries": [{"chains": ["M", 3]}]}, 422, "invalid-parameter", "queries: complex 1, chain 2: text is needed"),
        ({"queries": [{"chains": ["M"]}, 3]}, 422, "invalid-parameter", "queries: complex 2: a JSON object is needed"),
        ({"queries": [[[["M"]]]] * 5000}, 400, "malformed-request", "few fields"),
    ],
)
def test_what_is_wrong_is_named(http: httpx.Client, asked: dict[str, Any], status: int, name: str, words: str) -> None:
    for place in ("/v1/msas", "/v1/msas:estimate"):
        refused = problem(http.post(place, json={"databases": ["demo"], **asked}), status, name)
        assert words in refused["detail"]
        if status != 400:
            # The last one is what is wrong.
            assert refused["errors"][0]["pointer"].split("/")[1] == list(asked)[-1]


def test_a_chain_or_rows_that_are_not_there_are_named(
    http: httpx.Client, two: dict[str, Any], chains: list[Record]
) -> None:
    alone = ended(http, queries=text(chains[0]))["links"]["results"]
    place = two["links"]["results"]
    for results, number, chains_of in ((alone, 2, "1 chain"), (place, 3, "2 chains")):
        told = problem(http.get(results, params={"chain": number}), 422, "invalid-parameter")["detail"]
        assert told == f"chain: there is no chain {number}: the job has {chains_of}"
    assert "pairing" in problem(http.get(place, params={"pairs": True}), 404, "not-found")["detail"]
    problem(http.get(place, params={"format": "xml"}), 422, "invalid-parameter")
    problem(http.get(place, headers={"Accept": "image/png"}), 406, "not-acceptable")
    for wanted in ({"chain": 3}, {"pairs": True}):
        assert http.head(place, params=wanted).status_code == http.get(place, params=wanted).status_code
    plain = http.post("/v1/msas", content=b"M", headers={"Content-Type": "text/plain"})
    refused = problem(plain, 415, "unsupported-media-type")
    assert refused["detail"] == "MSAs are posted as application/json; longer lists of chains go into several requests"
    problem(http.post("/v1/msas?databases=demo", json={"queries": "M"}), 422, "invalid-parameter")


def test_killed_workers_and_front_end_lose_nothing(fragile: Server, chains: list[Record]) -> None:
    with fragile.http as http:
        long = b"".join(record.residues.upper() for record in chains * 4)
        asked = {"queries": text(*chains, Record("long", long)), "databases": ["demo"], "iterations": 4, "evalue": 1}
        place = http.post("/v1/msas", json=asked).json()["links"]["self"]
        until(lambda: http.get(place).json()["state"] != "queued")
        for what in ("worker.cli", "app"):
            for pid in fragile.pids(what):
                kill(pid, signal.SIGKILL)

        def succeeded() -> bool:
            try:
                state = http.get(place).json()
            except httpx.TransportError:
                # Until the next front end listens.
                return False
            assert state["state"] in ("queued", "running", "succeeded"), state["error"]
            return bool(state["state"] == "succeeded")

        until(succeeded)
        assert (
            len(read_a3m(io.BytesIO(http.get(f"{place}/results", params={"chain": 1}, timeout=PATIENCE_S).content))) > 0
        )
