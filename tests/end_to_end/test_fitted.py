"""Fitted statistics and score distributions through everything: two shards of proteins, by HTTP and on the spot."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from shardwater.search.judging import evalues_differ
from tests.support.server import COMMAND, Server

# By default, where nothing else is asked for.
FIELDS = {"score_distribution": True, "max_target_seqs": 30, "alignments": 3, "evalue": 0.5}


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict:
    return server.search(queries, **FIELDS)


def test_every_query_has_its_fit_and_the_counts_of_all_subjects(result: dict) -> None:
    assert (result["parameters"]["statistics"], result["parameters"]["score_distribution"]) == ("fitted", True)
    for one in result["results"]:
        fit, distribution = one["statistics"]["fit"], one["distribution"]
        assert (one["statistics"]["method"], one["statistics"]["fallback_reason"]) == ("fitted", None)
        assert fit["subjects"] + fit["rejected"] == result["certificate"]["subjects"] == 3183
        assert distribution["fit"] == fit
        assert distribution["bin_width"] == 1
        assert sum(distribution["counts"]) == 3183
        assert sum(distribution["expected"]) == pytest.approx(3183, abs=0.5)
        assert len(distribution["counts"]) == len(distribution["expected"])
        # The bulk of real proteins follows the curve.
        for first in range(20, 50, 10):
            found, expected = (sum(distribution[name][first : first + 10]) for name in ("counts", "expected"))
            assert found == pytest.approx(expected, rel=0.25, abs=60)


def test_hits_are_cut_by_the_fitted_evalue_and_the_first_aligned(result: dict) -> None:
    for one in result["results"]:
        assert 0 < len(one["hits"]) <= 30
        for place, hit in enumerate(one["hits"]):
            evalues = hit["evalues"]
            assert evalues["fitted"] <= hit["evalue"] <= 0.5
            assert (evalues["scale"] == 1) == (evalues["fitted"] == hit["evalue"])
            assert evalues["differ"] == evalues_differ(evalues["table"], evalues["fitted"])
            assert len(hit["hsps"]) == (1 if place < 3 else 0)
            assert hit["title"]


def test_table_knows_the_fitted_evalue_too_where_scores_are_counted(server: Server, queries: str, result: dict) -> None:
    by_table = server.search(queries, statistics="table", score_distribution=True, max_target_seqs=30, evalue=1e9)
    for one, fitted in zip(by_table["results"], result["results"], strict=True):
        assert one["statistics"]["method"] == "table"
        assert one["distribution"] == fitted["distribution"]
        by_fit = {hit["accession"]: hit["evalues"] for hit in fitted["hits"]}
        assert all(hit["evalue"] == hit["evalues"]["table"] for hit in one["hits"])
        both = [hit for hit in one["hits"] if hit["accession"] in by_fit]
        assert len(both) >= len(by_fit) / 2
        assert all({**by_fit[hit["accession"]], "scale": None} == hit["evalues"] for hit in both)


def test_hits_are_in_the_order_asked_for(server: Server, queries: str) -> None:
    by_evalue, by_score = (
        server.search(queries, max_target_seqs=200, alignments=0, order=order)["results"]
        for order in ("evalue", "score")
    )
    for one, other in zip(by_evalue, by_score, strict=True):
        evalues = [(hit["evalue"], -hit["score"]) for hit in one["hits"]]
        scores = [-hit["score"] for hit in other["hits"]]
        assert (sorted(evalues), sorted(scores)) == (evalues, scores)
    assert by_evalue != by_score


def test_any_gap_costs_have_fitted_evalues(server: Server, queries: str) -> None:
    found = server.search(queries, gap_open=5, gap_extend=2, max_target_seqs=5)
    for one in found["results"]:
        assert one["statistics"]["method"] == "fitted"
        assert (one["hits"][0]["evalues"]["table"], one["hits"][0]["evalues"]["differ"]) == (None, None)
        assert one["hits"][0]["evalue"] < 1e-5
        assert one["distribution"] is None


def test_form_and_table_take_it(server: Server, queries: str) -> None:
    with server.http as http:
        form = {"sequence": queries, "database": "demo", "score_distribution": "true", "composition": "none"}
        reply = http.post("/v1/searches", data={**form, "max_target_seqs": "2"}, headers={"Prefer": "wait=60"})
        found = reply.json()
        columns = "sseqid,evalue,fitted_evalue,table_evalue,zscore"
        table = http.get(f"/v1/searches/{found['search']}/results?format=tab&columns={columns}").text
    rows = [line.split("\t") for line in table.splitlines()]
    hits = [hit for one in found["results"] for hit in one["hits"]]
    assert [row[0] for row in rows] == [hit["accession"] for hit in hits]
    assert all(row[1] == row[2] != "N/A" for row in rows)
    assert [row[4] for row in rows] == [f"{hit['evalues']['zscore']:.1f}" for hit in hits]


def test_parameters_list_them(server: Server) -> None:
    with server.http as http:
        listed = {each["name"]: each for each in http.get("/v1/parameters").json()["parameters"]}
    assert (listed["composition"]["default"], listed["composition"]["values"][1]) == (
        "adjusted",
        {"value": "none", "label": "E-values of the score alone"},
    )
    asked = listed["score_distribution"]
    assert (asked["type"], asked["default"], asked["required"]) == ("boolean", False, False)
    assert {"value": "fitted", "label": "E-value from the scores of all subjects (SSEARCH -z 1), any gap costs"} in (
        listed["statistics"]["values"]
    )


@pytest.mark.parametrize("there", [True, False], ids=["through the server", "on the spot"])
def test_command_gives_what_the_server_gives(
    server: Server, data: Path, queries: str, result: dict, tmp_path: Path, there: bool
) -> None:
    (tmp_path / "q.fasta").write_text(queries)
    place = ["--server", server.url] if there else ["--data", str(data)]
    command = [*COMMAND, "search", "-query", str(tmp_path / "q.fasta"), "-db", "demo", *place, "-evalue", "0.5"]
    options = ["-score_distribution", "-max_target_seqs", "30", "-outfmt", "json"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    for one, other in zip(found["results"], result["results"], strict=True):
        assert (one["statistics"], one["distribution"]) == (other["statistics"], other["distribution"])
        assert [(hit["accession"], hit["evalue"], hit["bits"]) for hit in one["hits"]] == [
            (hit["accession"], hit["evalue"], hit["bits"]) for hit in other["hits"]
        ]


def test_a_fit_to_relatives_is_warned_of(tmp_path: Path) -> None:
    """Half of the subjects are mutated copies of the query."""
    rng = np.random.default_rng(6)
    letters = list("ARNDCQEGHILKMFPSTWYV")
    query = rng.choice(letters, 200)
    subjects = []
    for number in range(400):
        subject = rng.choice(letters, rng.integers(100, 400))
        if number % 2:
            changed = rng.random(200) < 0.6
            subject = np.where(changed, rng.choice(letters, 200), query)
        subjects.append(f">s{number}\n{''.join(subject)}\n")
    (tmp_path / "subjects.fasta").write_text("".join(subjects))
    (tmp_path / "q.fasta").write_text(f">q\n{''.join(query)}\n")
    command = [*COMMAND, "search", "-query", str(tmp_path / "q.fasta"), "-subject", str(tmp_path / "subjects.fasta")]
    done = subprocess.run([*command, "-outfmt", "json"], capture_output=True, text=True, check=True)
    [one] = json.loads(done.stdout)["results"]
    assert [warning["code"] for warning in one["warnings"]] == ["poor-fit"]
    assert one["statistics"]["fit"]["goodness"]["distance"] > 0.2
    assert "query 1 (q): the fit does not describe the scores of the database" in done.stderr
    by_table = subprocess.run([*command, "-statistics", "table"], capture_output=True, text=True, check=True)
    assert "the fit does not describe" not in by_table.stderr
