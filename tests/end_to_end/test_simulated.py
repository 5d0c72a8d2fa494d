"""Simulated statistics through everything: what was simulated before is taken, and what has none is refused."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from shardwater.scoring.scoring import Scoring
from shardwater.statistics.karlin_altschul import KarlinAltschul, Simulated
from shardwater.statistics.simulation import BLOCK_CELLS, BLOCKS, content_of
from tests.support.problems import problem
from tests.support.server import COMMAND, Server
from worker.jobs.simulations import Simulations

ASKED = {"statistics": "simulated", "gap_open": 10, "gap_extend": 3, "max_target_seqs": 20, "alignments": 2}
SIMULATED = Simulated(KarlinAltschul(0.302, 0.11, 0.34, 0.88, -3.0, 10.2, 10.9, -3.0, -151.0, -163.0), 0.0008, 0.003)
KNOWN = json.loads(TypeAdapter(Simulated).dump_json(SIMULATED))
CONTENT = content_of(Scoring("BLOSUM62", 10, 3))


@pytest.fixture(scope="module")
def result(server: Server, queries: str) -> dict[str, Any]:
    Simulations(server.redis).keep(CONTENT, SIMULATED)
    return server.search(queries, **ASKED)


def test_result_has_parameters_and_their_errors(result: dict[str, Any]) -> None:
    assert (result["parameters"]["statistics"], result["parameters"]["composition"]) == ("simulated", "none")
    for one in result["results"]:
        used = one["statistics"]
        assert (used["method"], used["simulated"]) == ("simulated", KNOWN)
        assert (used["lambda"], used["kappa"], used["composition"]) == (0.302, 0.11, None)
        assert one["hits"][0]["evalue"] < 1e-8
        assert all(hit["evalue"] <= 10 for hit in one["hits"])


def test_report_says_how_sure_they_are(server: Server, result: dict[str, Any]) -> None:
    place = f"/v1/searches/{result['search']}/results"
    with server.http as http:
        report = http.get(place, params={"format": "pairwise", "query": 1}).text
    assert "\nSimulated: standard error of Lambda 0.0008, of K 0.003\n" in report


def test_a_verification_finds_them_equal(server: Server, result: dict[str, Any]) -> None:
    with server.http as http:
        for sample in ("", "?sample=5"):
            place = f"/v1/searches/{result['search']}:verify{sample}"
            report = http.post(place, headers={"Prefer": "wait=60"}).json()["report"]
            assert (report["equal"], report["total"]) == (True, 0)


def test_command_takes_what_it_has_kept(data: Path, queries: str, result: dict[str, Any], tmp_path: Path) -> None:
    kept = tmp_path / "shardwater" / "simulated" / f"{CONTENT}.json"
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps(KNOWN))
    (tmp_path / "q.fasta").write_text(queries)
    asked = ["-statistics", "simulated", "-gapopen", "10", "-gapextend", "3", "-max_target_seqs", "20"]
    place = ["-query", str(tmp_path / "q.fasta"), "-db", "demo", "--data", str(data)]
    command = [*COMMAND, "search", *place, *asked, "-alignments", "2"]
    done = subprocess.run(
        [*command, "-outfmt", "json"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )
    assert json.loads(done.stdout)["results"] == result["results"]


def test_what_is_to_be_simulated_is_estimated(server: Server) -> None:
    with server.http as http:
        body = {"sequence": "MKVLAAGWDE", "database": "demo", "matrix": "PAM70", "gap_open": 12, "gap_extend": 2}
        plain, simulated = (
            http.post("/v1/searches:estimate", json={**body, "statistics": method}).json()
            for method in ("none", "simulated")
        )
    assert simulated["cells"] - plain["cells"] == BLOCKS * BLOCK_CELLS
    assert simulated["quota_cost"] == simulated["cells"]


@pytest.mark.parametrize("place", ["/v1/searches", "/v1/searches:estimate"])
def test_costs_under_which_alignments_grow_are_refused_at_once(server: Server, place: str) -> None:
    body = {"sequence": "MKVLAAGWDE", "database": "demo", "gap_open": 5, "gap_extend": 1, "statistics": "simulated"}
    with server.http as http:
        reply: httpx.Response = http.post(place, json=body)
    [error] = problem(reply, 422, "invalid-parameter")["errors"]
    assert error["pointer"] == "/statistics"
    assert error["detail"].startswith("gaps of 5/1 cost so little that alignments of random sequences grow with these")


def test_parameters_list_them(server: Server) -> None:
    with server.http as http:
        [statistics] = [
            each for each in http.get("/v1/parameters").json()["parameters"] if each["name"] == "statistics"
        ]
    assert "simulated" in [each["value"] for each in statistics["values"]]
