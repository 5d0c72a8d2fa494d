"""Short queries: advice where the usual parameters find little, and `-task blastp-short`, which finds all of them."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.support.server import COMMAND, Server

LETTERS = list("ARNDCQEGHILKMFPSTWYV")


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, set[str]]]:
    """A FASTA file of 600 random proteins and peptides of 8 to 30 residues in some, with who has which."""
    rng = np.random.default_rng(12)
    proteins = ["".join(rng.choice(LETTERS, int(length))) for length in np.exp(rng.normal(5.5, 1, 600)) + 40]
    peptides = ["".join(rng.choice(LETTERS, length)) for length in (8, 8, 9, 10, 12, 15, 19, 20, 25, 30)]
    # Those with the lowest scores, and a letter that no other has.
    peptides += ["AAAAAAAA", "GAGAGAGA", "SSSSSSSSSSSS", "WWWWWWWW"]
    for number, peptide in enumerate(peptides):
        for place in range(number, 600, 40):
            at = int(rng.integers(0, len(proteins[place]) - len(peptide) + 1))
            proteins[place] = proteins[place][:at] + peptide + proteins[place][at + len(peptide) :]
    folder = tmp_path_factory.mktemp("planted")
    (folder / "proteins.fasta").write_text("".join(f">s{n}\n{letters}\n" for n, letters in enumerate(proteins)))
    (folder / "peptides.fasta").write_text("".join(f">{peptide}\n{peptide}\n" for peptide in peptides))
    having = {peptide: {f"s{n}" for n, protein in enumerate(proteins) if peptide in protein} for peptide in peptides}
    return folder, having


def search(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    command = [*COMMAND, "search", "-query", str(folder / "peptides.fasta"), "-subject", str(folder / "proteins.fasta")]
    return subprocess.run([*command, "-outfmt", "json", *options], capture_output=True, text=True, check=True)


def test_every_occurrence_comes_first(planted: tuple[Path, dict[str, set[str]]]) -> None:
    folder, having = planted
    done = search(folder, "-task", "blastp-short")
    assert "short" not in done.stderr
    result = json.loads(done.stdout)
    used = result["parameters"]
    assert [used[name] for name in ("matrix", "gap_open", "gap_extend", "evalue", "order")] == [
        *("PAM30", 9, 1, 20_000.0, "score")
    ]
    for one in result["results"]:
        peptide = one["query"]["id"]
        expected = having[peptide]
        assert len(expected) >= 12
        found = one["hits"][: len(expected)]
        assert {hit["accession"] for hit in found} == expected
        assert {hit["hsps"][0]["cigar"] for hit in found} == {f"{len(peptide)}="}
        assert "short-query" not in [warning["code"] for warning in one["warnings"]]


def test_flags_go_before_what_the_task_says(planted: tuple[Path, dict[str, set[str]]]) -> None:
    done = search(planted[0], "-task", "blastp-short", "-matrix", "PAM70", "-evalue", "5", "-order", "evalue")
    used = json.loads(done.stdout)["parameters"]
    assert [used[name] for name in ("matrix", "gap_open", "evalue", "order")] == ["PAM70", 10, 5.0, "evalue"]


def test_usual_task_warns_of_queries_below_20_residues(planted: tuple[Path, dict[str, set[str]]]) -> None:
    folder, having = planted
    done = search(folder, "-task", "blastp")
    warned = [
        one["query"]["id"]
        for one in json.loads(done.stdout)["results"]
        if "short-query" in [warning["code"] for warning in one["warnings"]]
    ]
    assert warned == [peptide for peptide in having if len(peptide) < 20]
    assert "query 1 (" in done.stderr
    assert "take matrix=PAM30, evalue=20000 and order=score (on the command line -task blastp-short)" in done.stderr


def test_submission_estimate_and_result_say_so(server: Server) -> None:
    body = {"sequence": ">long\nMKISANSIRTGNILVYNNDLWVV\n>short\nMKISANSI", "database": "demo"}
    with server.http as http:
        estimate = http.post("/v1/searches:estimate", json=body).json()
        ticket = http.post("/v1/searches", json=body).json()
        result = http.post("/v1/searches", json=body, headers={"Prefer": "wait=60"}).json()
        sharp = http.post(
            "/v1/searches:estimate", json={**body, "matrix": "PAM30", "evalue": 20_000, "order": "score"}
        ).json()
    [warning] = estimate["warnings"]
    assert (warning["query"], warning["code"]) == (2, "short-query")
    assert ticket["warnings"] == [warning]
    told = {"code": "short-query", "detail": warning["detail"]}
    assert [told in one["warnings"] for one in result["results"]] == [False, True]
    assert sharp["warnings"] == []
