"""Several databases in one search, each with workers of its own; beside them one that holds all their sequences."""

import gzip
import io
import json
import signal
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from os import kill
from pathlib import Path
from typing import Any

import httpx
import pytest

from shardwater.sequences.fasta import read_fasta
from shardwater_client import Client
from tests.support.command_line import here, refused
from tests.support.demo import DEMO
from tests.support.problems import problem
from tests.support.searches import LONG
from tests.support.server import Server, at_work, make_database, running, until

NAMES = ["few", "many"]
WAIT = {"Prefer": "wait=60"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The demo's proteins: a third of them in one shard, the others in two, and all in one.

    Behind the first hundred of `many` stands another one of the same letters each, which no search may find.
    """
    folder = tmp_path_factory.mktemp("databases")
    text = gzip.decompress((DEMO / "proteins.fasta.gz").read_bytes()).decode()
    records = [f">{each}\n" for each in text.strip().removeprefix(">").split("\n>")]
    few, many = records[::3], [each for number, each in enumerate(records) if number % 3]
    members = [f">member-{each[1:]}" for each in many[:100]]
    words = [each[1:].split()[0] for each in many[:100]]
    (folder / "members.tsv").write_text("".join(f"{word}\tmember-{word}\n" for word in words))
    for name, some, shards in (("few", few, 1), ("many", [*members, *many], 2), ("all", [*few, *many], 1)):
        (folder / f"{name}.fasta").write_text("".join(some))
        clusters = folder / "members.tsv" if name == "many" else None
        make_database(folder / f"{name}.fasta", folder / "data", shards=shards, name=name, clusters=clusters)
    with running(Server(folder / "data")) as started:
        yield started


@pytest.fixture
def http(service: Server) -> Iterator[httpx.Client]:
    with service.http as client:
        yield client


def found(http: httpx.Client, sequence: str, **fields: Any) -> dict[str, Any]:
    answer = http.post("/v1/searches", json={"sequence": sequence, **fields}, headers=WAIT)
    assert answer.status_code == 200, answer.text
    return answer.json()


def bare(result: dict[str, Any]) -> list[dict[str, Any]]:
    """What a result says of its queries, but for where hits are."""
    return [
        {**one, "digest": None, "hits": [{**hit, "database": None} for hit in one["hits"]]} for one in result["results"]
    ]


@pytest.mark.parametrize(
    "fields", [{"score_distribution": True}, {"statistics": "table", "order": "score", "evalue": 1e3}]
)
def test_result_is_that_of_one_database_of_all(http: httpx.Client, queries: str, fields: dict[str, Any]) -> None:
    both, whole = found(http, queries, databases=NAMES, **fields), found(http, queries, database="all", **fields)
    assert bare(both) == bare(whole)
    assert {hit["database"] for one in both["results"] for hit in one["hits"]} == set(NAMES)
    assert both["database"]["name"] == "few many"
    listed = {each["name"]: each for each in http.get("/v1/databases").json()["items"]}
    assert [listed[name]["members"] for name in ("few", "many", "all")] == [0, 100, 0]
    assert listed["many"]["member_residues"] > 0
    assert both["databases"] == [
        {
            "name": name,
            "version": listed[name]["version"],
            "checksum": listed[name]["checksum"],
            "subjects": listed[name]["sequences"],
            "residues": listed[name]["residues"],
            "searched": None,
        }
        for name in NAMES
    ]
    assert [(each["database"], each["index"]) for each in both["certificate"]["shards"]] == [
        ("few", 0),
        ("many", 0),
        ("many", 1),
    ]
    assert both["certificate"]["cells"] == whole["certificate"]["cells"]


def test_members_of_clusters_are_rows_of_msas_with_the_same_bytes_here_and_there(
    service: Server, http: httpx.Client, tmp_path: Path
) -> None:
    [first, *_] = read_fasta((service.data.parent / "many.fasta").read_bytes())
    asked = {"databases": NAMES, "iterations": 1, "filter": "none"}
    query = f">q\n{first.residues.decode()}\n"
    accepted = http.post("/v1/msas", json={**asked, "queries": query}).json()["links"]
    until(lambda: http.get(accepted["self"]).json()["state"] not in ("queued", "running"))
    [chain] = http.get(accepted["self"]).json()["chains"]
    [stage] = chain["stages"]
    there = http.get(accepted["results"], params={"format": "json"}).content
    searched, rows = json.loads(there)["searched"], json.loads(there)["rows"]
    assert stage["members"] == {"aligned": 2, "rows": 2, "left_out": 0}
    assert searched["members"] == {"searched": False, **stage["members"]}
    # It has the letters of what stands for it, and so all of its figures.
    best, member = rows[:2]
    assert (best["representative"], member["representative"]) == (None, best["name"])
    assert member == {**best, "name": first.id, "representative": best["name"]}
    (tmp_path / "query.fasta").write_text(query)
    flags = ["-query", str(tmp_path / "query.fasta"), "-db", " ".join(NAMES), "-num_iterations", "1"]
    flags += ["-filter", "none", "-outfmt", "json", "-out", str(tmp_path / "msas"), "--data", str(service.data)]
    assert here("msa", *flags).returncode == 0
    made = (tmp_path / "msas" / "1.q.json").read_bytes()
    assert made.partition(b"\n")[2] == there.partition(b"\n")[2]
    told = json.loads(made)["searched"]
    for each in (told, searched):
        del each["certificate"]["shards"]
    assert told == searched


def test_search_names_its_databases_in_lists_and_estimates(http: httpx.Client, queries: str) -> None:
    body = {"sequence": queries, "databases": NAMES, "title": "of both"}
    estimate = http.post("/v1/searches:estimate", json=body).json()
    alone = [
        http.post("/v1/searches:estimate", json={"sequence": queries, "database": name}).json()["cells"]
        for name in NAMES
    ]
    assert estimate["cells"] == sum(alone)
    accepted = http.post("/v1/searches", json=body, headers={"Cache-Control": "no-cache"}).json()
    for shown in (accepted, estimate, http.get("/v1/searches").json()["items"][0]):
        assert [each["name"] for each in shown["databases"]] == NAMES
        assert shown["database"]["name"] == "few many"
    assert accepted["shards"]["total"] == 3
    kept = http.get(f"{accepted['links']['self']}/request").json()
    assert kept["databases"] == NAMES
    until(lambda: http.get(accepted["links"]["self"]).json()["state"] == "succeeded")


def test_forms_and_addresses_have_blanks_between_names(http: httpx.Client, queries: str) -> None:
    as_form = http.post("/v1/searches", data={"sequence": queries, "databases": "few many"}, headers=WAIT).json()
    raw = {"Content-Type": "text/x-fasta", **WAIT}
    beside = http.post("/v1/searches", params={"databases": "few many"}, content=queries, headers=raw).json()
    assert as_form["search"] == beside["search"] == found(http, queries, databases=NAMES)["search"]
    assert found(http, queries, databases=["few"])["search"] == found(http, queries, database="few")["search"]


@pytest.mark.parametrize(
    ("fields", "pointer", "detail"),
    [
        ({}, "/database", "name one database here, or several in `databases`"),
        ({"database": "few", "databases": ["many"]}, "/database", "name one database here, or several in `databases`"),
        ({"databases": []}, "/databases", "1 or more are needed, not 0"),
        ({"databases": ["few", "many", "few"]}, "/databases", "few is named twice: a sequence is searched once"),
        ({"databases": ["few", "nowhere"]}, "/databases/1", "no database of this name; there are: all, few, many"),
        ({"databases": [f"n{number}" for number in range(11)]}, "/databases", "10 or fewer are needed"),
        ({"databases": ["few", 7]}, "/databases/1", "text is needed"),
        ({"databases": ["few", "x" * 65]}, "/databases/1", "64 characters or fewer are needed"),
        ({"databases": {"few": 1}}, "/databases", "a list is needed"),
    ],
)
def test_wrong_names_are_told(http: httpx.Client, fields: dict[str, Any], pointer: str, detail: str) -> None:
    refusal = problem(http.post("/v1/searches", json={"sequence": "MKVL", **fields}), 422, "invalid-parameter")
    assert [(each["pointer"], each["detail"]) for each in refusal["errors"]] == [(pointer, detail)]


def test_every_format_tells_the_databases_apart(http: httpx.Client, queries: str) -> None:
    both = found(http, queries, databases=NAMES, evalue=1e-10, scores="all")
    hits = [hit for one in both["results"] for hit in one["hits"]]
    place = f"/v1/searches/{both['search']}"

    def written(form: str, **more: str) -> str:
        return http.get(f"{place}/results", params={"format": form, **more}).text

    rows = [line.split("\t") for line in written("tab", columns="sseqid,sdb").splitlines()]
    assert rows == [[hit["accession"], hit["database"]] for hit in hits]
    assert "# Database: few many " in written("7")
    assert "<BlastOutput_db>few many " in written("xml")
    assert '"db":"few many ' in written("blast-json").replace(" :", ":")
    assert f"\n{written('fasta')}".count("\n>") == len({(hit["database"], hit["accession"]) for hit in hits})
    sizes = [each["subjects"] for each in both["databases"]]
    header, *scores = http.get(f"{place}/scores").text.splitlines()
    assert header.split("\t")[-1] == "database"
    assert [line.split("\t")[-1] for line in scores[: sum(sizes)]] == [
        name for name, size in zip(NAMES, sizes, strict=True) for _ in range(size)
    ]
    known = {tuple(line.split("\t")[1:4:2]) for line in scores[: sum(sizes)]}
    assert {(hit["accession"], str(hit["score"])) for hit in both["results"][0]["hits"]} <= known


def test_result_is_verified_whole_and_by_a_sample(http: httpx.Client, queries: str) -> None:
    both = found(http, queries, databases=NAMES)
    for sample in ({}, {"sample": 20}):
        answer = http.post(f"/v1/searches/{both['search']}:verify", params=sample, headers=WAIT)
        assert answer.status_code == 200, answer.text
        assert (answer.json()["report"]["equal"], answer.json()["database"]["name"]) == (True, "few many")


def test_clients_name_several(service: Server, queries: str, http: httpx.Client) -> None:
    with Client(service.url) as client:
        result = client.search(queries, databases=NAMES)
        assert result.id == found(http, queries, databases=NAMES)["search"]
        assert ([each.name for each in result.databases], result.database.name) == (NAMES, "few many")
        assert set(result.to_pandas()["database"]) == set(NAMES)
        assert client.estimate(queries, databases=NAMES).reused
        for named in ({}, {"database": "few", "databases": ["many"]}):
            with pytest.raises(TypeError, match="name one database as database=, or several as databases="):
                client.submit(queries, **named)


def test_command_line_searches_the_same(service: Server, queries: str, tmp_path: Path) -> None:
    query = tmp_path / "query.fasta"
    query.write_text(queries)
    wanted = ("search", "-query", query, "-db", "few many", "-outfmt", "6 std sdb")
    local, remote = (here(*wanted, *place) for place in (("--data", service.data), ("--server", service.url)))
    assert (local.returncode, remote.returncode) == (0, 0), local.stderr + remote.stderr
    assert local.stdout == remote.stdout
    assert {line.rpartition("\t")[2] for line in local.stdout.splitlines()} == set(NAMES)
    result, scores = tmp_path / "result.json", tmp_path / "scores.tsv"
    done = here(*wanted[:5], "-outfmt", "json", "-out", result, "-scores", scores, "--data", service.data)
    assert done.returncode == 0, done.stderr
    assert scores.read_text().count("\n") == 1 + 4 * 3183
    for sample in ((), ("--sample", "30")):
        verified = here("verify", result, "--query", query, "--data", service.data, *sample)
        assert verified.stdout.startswith("equal: "), verified
    fasta = here("format", result, "-outfmt", "fasta", "--data", service.data)
    assert fasta.stdout.count("\n>") > 4


def test_command_line_refuses_wrong_names(service: Server, tmp_path: Path) -> None:
    query = tmp_path / "query.fasta"
    query.write_text(f">q\n{'MKVLAAGWDEHHKLMNPQRSTVWY' * 3}\n")
    data = ("--data", service.data)
    line = refused(here("search", "-query", query, "-db", "few nowhere", *data))
    assert line.startswith("no database 'nowhere' in ")
    for flags, told in (
        (("-db", "few few"), "few is named twice"),
        (("-db", " "), "-db names no database"),
        (("-db", "few many", "-seqidlist", query), "-seqidlist is for one database, not for several"),
    ):
        done = here("search", "-query", query, *flags, *data)
        assert done.returncode == 2
        assert told in done.stderr.replace("\n", " ")


def test_older_interfaces_take_several(http: httpx.Client) -> None:
    one = (DEMO / "queries.fasta").read_text().split(">")[1]
    put = {"CMD": "Put", "PROGRAM": "blastp", "DATABASE": "few many", "QUERY": f">{one}"}
    rid = http.post("/Blast.cgi", data=put).text.split("RID = ")[1].split()[0]
    page = http.get("/Blast.cgi", params={"CMD": "Get", "RID": rid, "FORMAT_TYPE": "XML"})
    assert "<BlastOutput_db>few many " in page.text
    run = {"email": "me@lab.org", "program": "blastp", "stype": "protein", "sequence": f">{one}"}
    for names in ({"database": NAMES}, {"database": "few,many"}):
        job = http.post("/rest/ncbiblast/run", data={**run, **names})
        assert job.status_code == 200, job.text
        until(lambda job=job: http.get(f"/rest/ncbiblast/status/{job.text}").text == "FINISHED")  # type: ignore[misc]
        told = http.get(f"/rest/ncbiblast/result/{job.text}/json").json()
        assert (told["db_count"], [each["name"] for each in told["dbs"]]) == (2, NAMES)
        assert "-db 'few many'" in told["command"]
        assert '<database number="2" name="many" type="p"/>' in http.get(f"/rest/ncbiblast/result/{job.text}/xml").text
    wrong = http.post("/rest/ncbiblast/run", data={**run, "database": ["few", "nowhere"]})
    assert "database: no database of this name" in wrong.text
    # MMseqs2-App lists what each database has by itself.
    ticket = http.post("/ticket", data={"q": f">{one}", "database[]": NAMES, "mode": "all"}).json()["id"]
    until(lambda: http.get(f"/ticket/{ticket}").json()["status"] == "COMPLETE")
    assert [each["db"] for each in http.get(f"/result/{ticket}/0").json()["results"]] == NAMES
    with tarfile.open(fileobj=io.BytesIO(http.get(f"/result/download/{ticket}").content)) as archive:
        assert archive.getnames() == [f"alis_{name}.m8" for name in NAMES]


def test_killed_workers_lose_nothing(service: Server, http: httpx.Client) -> None:
    job = at_work(http, "/v1/searches", {"sequence": LONG[:20_000], "databases": "few many", "alignments": "0"})
    before = {each["pid"] for each in http.get("/v1/workers").json()["items"] if each["database"] == "many"}
    kill(min(before), signal.SIGKILL)
    until(lambda: http.get(job).json()["state"] == "succeeded")
    result = http.get(f"{job}/results").json()
    assert [each["database"] for each in result["certificate"]["shards"]] == ["few", "many", "many"]
    until(lambda: all(each["state"] == "ready" for each in http.get("/v1/databases").json()["items"]))


def test_database_without_workers_is_told(service: Server, http: httpx.Client) -> None:
    [lost] = [each["pid"] for each in http.get("/v1/workers").json()["items"] if each["database"] == "few"]
    kill(lost, signal.SIGSTOP)
    try:
        until(
            lambda: (
                {each["name"]: each["state"] for each in http.get("/v1/databases").json()["items"]}["few"] != "ready"
            )
        )
        body = {"sequence": "MKVLAAGW", "databases": NAMES, "title": "without few"}
        refusal = problem(http.post("/v1/searches", json=body), 503, "shard-unavailable")
        assert refusal["detail"] == "no worker answers for shard 0 of database few"
    finally:
        # The supervisor may have found that it hangs.
        with suppress(ProcessLookupError):
            kill(lost, signal.SIGCONT)
    until(lambda: {each["name"]: each["state"] for each in http.get("/v1/databases").json()["items"]}["few"] == "ready")
