"""A search from FASTA to hits, through everything."""

import json
from pathlib import Path
from typing import Any

import parasail

from shardwater.database.catalog import Catalog
from shardwater.scoring.scoring import FOLDER
from shardwater.sequences.fasta import read_fasta
from tests.support.command_line import here
from tests.support.demo import DEMO
from tests.support.server import Server, make_database, running


def test_best_hits_are_those_of_an_external_oracle(server: Server, data: Path, queries: str) -> None:
    matrix = parasail.Matrix(str(FOLDER / "BLOSUM62.txt"))
    database = Catalog(data).current("demo")
    answer = server.search(queries, max_target_seqs=25, evalue=1e9, order="score")
    subjects = [database.sequence(subject).decode().upper() for subject in range(len(database))]
    for record, one in zip(read_fasta(queries.encode()), answer["results"], strict=True):
        profile = parasail.profile_create_sat(record.residues.decode(), matrix)
        scores = [parasail.sw_striped_profile_sat(profile, subject, 12, 1).score for subject in subjects]
        best = sorted((-score, subject) for subject, score in enumerate(scores))[:25]
        expected = [(-score, database.accession(subject)) for score, subject in best]
        found = [(hit["score"], hit["accession"]) for hit in one["hits"]]
        assert found == expected


def test_certificate_counts_every_residue(server: Server, data: Path, queries: str) -> None:
    result = server.search(queries)
    manifest = Catalog(data).current("demo").manifest
    certificate = result["certificate"]
    letters = sum(len(record.residues) for record in read_fasta(queries.encode()))
    assert certificate["exact"] is True
    assert (certificate["subjects"], certificate["residues"]) == (manifest.subjects, manifest.residues)
    assert certificate["cells"] == manifest.residues * letters
    assert [shard["index"] for shard in certificate["shards"]] == [0, 1]
    assert result["database"] == {"name": "demo", "version": manifest.version, "checksum": manifest.checksum}


def test_hsps_replay_on_the_databases_sequences(server: Server, data: Path, queries: str) -> None:
    database = Catalog(data).current("demo")
    records = read_fasta(queries.encode())
    for record, one in zip(records, server.search(queries, max_target_seqs=20)["results"], strict=True):
        for hit in one["hits"]:
            [hsp] = hit["hsps"]
            subject = database.sequence(database.find(hit["accession"])).decode()
            assert hsp["hseq"].replace("-", "") == subject[hsp["hit_from"] - 1 : hsp["hit_to"]]
            query = record.residues.decode()
            assert hsp["qseq"].replace("-", "") == query[hsp["query_from"] - 1 : hsp["query_to"]]
            assert hit["query_coverage"] == 100 * (hsp["query_to"] - hsp["query_from"] + 1) / len(query)


def test_shard_count_does_not_show(server: Server, tmp_path: Path, queries: str) -> None:
    make_database(DEMO / "proteins.fasta.gz", tmp_path, shards=3)
    with running(Server(tmp_path)) as other:
        asked = {"max_target_seqs": 30, "alignments": 10}
        assert other.search(queries, **asked)["results"] == server.search(queries, **asked)["results"]


def test_same_request_finds_the_same_search(server: Server, queries: str) -> None:
    first = server.post(queries, title="twice")
    again = server.post(queries.replace("\n", "\r\n"), title="twice")
    assert (first.json()["reused"], again.json()["reused"]) == (False, True)
    assert first.headers["Location"] == again.headers["Location"]
    with server.http as http:
        body = {"sequence": queries, "database": "demo", "title": "twice"}
        anew = http.post("/v1/searches", json=body, headers={"Cache-Control": "no-cache"})
    assert anew.json()["id"] != first.json()["id"]


def test_waiting_answers_with_the_result_or_the_state(server: Server, queries: str) -> None:
    done = server.post(queries, wait=30)
    assert (done.status_code, done.headers["Preference-Applied"]) == (200, "wait=30")
    assert [one["query"]["id"] for one in done.json()["results"]] == [
        record.id for record in read_fasta(queries.encode())
    ]
    late = server.post(">long\n" + "MKVLAAGW" * 5000, wait=0)
    assert (late.status_code, late.headers["Retry-After"]) == (202, "1")
    with server.http as http:
        assert http.post(f"{late.headers['Location']}:cancel").status_code == 202


def test_letters_are_counted_and_kept(server: Server) -> None:
    result = server.search(">odd some title\nmkvlUUoJ*aggw", statistics="none", max_target_seqs=1)
    query = result["results"][0]["query"]
    assert query == {
        "id": "odd",
        "title": "some title",
        "length": 13,
        "replaced": {"J": 1, "O": 1, "U": 2},
        "masked": None,
        "profile": None,
    }
    assert result["results"][0]["hits"][0]["hsps"][0]["qseq"].islower()


def test_command_line_here_and_there_say_the_same(server: Server, data: Path) -> None:
    query = ["search", "-query", DEMO / "queries.fasta", "-db", "demo", "-max_target_seqs", "7"]
    for form in ("6", "7 std qcovs btop", "0"):
        local = here(*query, "-outfmt", form, "--data", data)
        assert (local.returncode, "OBG_THENN" in local.stdout) == (0, True)
        assert here(*query, "-outfmt", form, "--server", server.url).stdout == local.stdout


def test_result_is_one_object_whatever_its_form(server: Server, queries: str) -> None:
    result = server.search(queries, max_target_seqs=3)
    with server.http as http:
        place = f"/v1/searches/{result['search']}/results"
        lines = http.get(place, params={"format": "ndjson"}).text.splitlines()
        second = http.get(place, params={"query": 2}).json()
    whole: list[dict[str, Any]] = [json.loads(line) for line in lines]
    assert [line["results"][0] for line in whole] == result["results"]
    assert second == whole[1]
