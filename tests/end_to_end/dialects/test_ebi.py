"""EBI's Job Dispatcher, asked as its own scripts ask it."""

import gzip
import json
import math
import re
import shlex
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import parasail
import pytest

from shardwater.scoring.scoring import load_matrix
from tests.support.demo import DEMO
from tests.support.server import COMMAND, Server

SPACE = "{http://www.ebi.ac.uk/schema}"
FORM = {"email": "someone@example.org", "program": "blastp", "stype": "protein", "database": "demo"}
LETTERS = "ARNDCQEGHILKMFPSTWYVBZX*"


class Script:
    """What EBI's Python scripts do: urllib, XML, and a status that is asked for until it is another."""

    def __init__(self, url: str) -> None:
        self._url = url

    def request(self, path: str) -> str:
        with urllib.request.urlopen(f"{self._url}/{path}") as reply:
            return reply.read().decode()

    def run(self, **fields: Any) -> str:
        data = urllib.parse.urlencode({**FORM, **fields}).encode()
        with urllib.request.urlopen(f"{self._url}/run/", data) as reply:
            return reply.read().decode()

    def poll(self, job: str) -> str:
        status = "PENDING"
        while status in ("RUNNING", "PENDING"):
            status = self.request(f"status/{job}")
        return status

    def results(self, job: str) -> dict[str, str]:
        """Every type of a job's result."""
        assert self.poll(job) == "FINISHED"
        types = ElementTree.fromstring(self.request(f"resulttypes/{job}"))
        identifiers = [kind.findtext("identifier") for kind in types.iter("type")]
        assert all(kind.findtext("mediaType") and kind.findtext("fileSuffix") for kind in types.iter("type"))
        return {str(kind): self.request(f"result/{job}/{kind}") for kind in identifiers}


@pytest.fixture(scope="module")
def blast(server: Server) -> Script:
    return Script(f"{server.url}/rest/ncbiblast")


@pytest.fixture(scope="module")
def fasta(server: Server) -> Script:
    return Script(f"{server.url}/rest/fasta")


@pytest.fixture(scope="module")
def results(blast: Script, kinase: str) -> dict[str, str]:
    return blast.results(blast.run(sequence=kinase, scores=5, alignments=5))


def hits(expected: dict[str, Any]) -> list[dict[str, Any]]:
    return expected["results"][0]["hits"]


def test_tool_tells_its_parameters(blast: Script, http: httpx.Client) -> None:
    names = [each.text for each in ElementTree.fromstring(blast.request("parameters")).iter("id")]
    assert {"program", "matrix", "gapopen", "gapext", "exp", "database", "sequence"} <= set(names)
    as_json = http.get("/rest/ncbiblast/parameters", headers={"Accept": "application/json"})
    assert as_json.json() == {"parameters": names}
    for name in names:
        details = ElementTree.fromstring(blast.request(f"parameterdetails/{name}"))
        assert [child.tag for child in details][:3] == ["name", "description", "type"]


def test_databases_are_those_of_the_server(blast: Script, http: httpx.Client) -> None:
    details = ElementTree.fromstring(blast.request("parameterdetails/database"))
    assert [value.findtext("value") for value in details.iter("value") if len(value)] == ["demo", "tiny"]
    path = "/rest/ncbiblast/parameterdetails/matrix"
    values = http.get(path, headers={"Accept": "application/json"}).json()["values"]["values"]
    assert [value["value"] for value in values if value["defaultValue"]] == ["BLOSUM62"]


def test_job_has_every_type_of_result(results: dict[str, str], kinase: str) -> None:
    assert list(results) == ["out", "json", "xml", "tsv", "ids", "accs", "sequence"]
    assert results["sequence"] == kinase
    assert results["out"].startswith("BLASTP ")
    assert [results[kind].splitlines()[0] for kind in ("ids", "accs")] == ["M3K3_ARATH", "O22042"]


def test_json_is_what_was_found(results: dict[str, str], expected: dict[str, Any]) -> None:
    found = json.loads(results["json"])
    assert (found["query_id"], found["query_acc"], found["db_num"]) == ("KC1D_MOUSE", "Q9DC28", 3183)
    for theirs, ours in zip(found["hits"], hits(expected), strict=True):
        [hsp], aligned = theirs["hit_hsps"], ours["hsps"][0]
        assert f"sp|{theirs['hit_acc']}|{theirs['hit_id']}" == ours["accession"]
        assert (theirs["hit_len"], theirs["hit_desc"]) == (ours["length"], ours["title"])
        assert (hsp["hsp_score"], hsp["hsp_bit_score"]) == (ours["score"], ours["bits"])
        assert (hsp["hsp_expect"], hsp["hsp_identity"]) == (ours["evalue"], round(ours["identity"], 1))
        assert (hsp["hsp_qseq"], hsp["hsp_mseq"], hsp["hsp_hseq"]) == (
            aligned["qseq"], aligned["midline"], aligned["hseq"],
        )  # fmt: skip
    assert found["hits"][0]["hit_os"] == "Arabidopsis thaliana"


def test_xml_is_what_was_found(results: dict[str, str], expected: dict[str, Any]) -> None:
    root = ElementTree.fromstring(results["xml"])
    found = root.find(f"{SPACE}SequenceSimilaritySearchResult/{SPACE}hits")
    assert found is not None
    for theirs, ours in zip(found, hits(expected), strict=True):
        alignment = theirs.find(f"{SPACE}alignments/{SPACE}alignment")
        assert alignment is not None
        assert f"sp|{theirs.get('ac')}|{theirs.get('id')}" == ours["accession"]
        assert float(alignment.findtext(f"{SPACE}score") or 0) == ours["score"]
        assert float(alignment.findtext(f"{SPACE}expectation") or 0) == ours["evalue"]
        assert alignment.findtext(f"{SPACE}pattern") == ours["hsps"][0]["midline"]


def test_table_is_what_was_found(results: dict[str, str], expected: dict[str, Any]) -> None:
    head, *rows = [line.split("\t") for line in results["tsv"].splitlines()]
    assert (head[0], head[2], head[-1]) == ("Hit", "Accession", "E()")
    assert [(row[0], f"sp|{row[2]}|") for row in rows] == [
        (str(hit["rank"]), hit["accession"][: hit["accession"].rindex("|") + 1]) for hit in hits(expected)
    ]


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("ncbiblast", {"gapopen": 10, "gapext": 1}),
        ("fasta", {"program": "ssearch", "matrix": "BL62", "gapopen": -10, "gapext": -1}),
    ],
)
def test_gap_costs_mean_what_they_mean_to_each_tool(
    server: Server, http: httpx.Client, kinase: str, tool: str, fields: dict[str, Any]
) -> None:
    script = Script(f"{server.url}/rest/{tool}")
    found = json.loads(script.results(script.run(sequence=kinase, scores=5, alignments=5, **fields))["json"])
    matrix = parasail.matrix_create(LETTERS, 0, 0)
    for row, line in enumerate(load_matrix("BLOSUM62").scores.tolist()):
        for column, score in enumerate(line):
            matrix[row, column] = score
    query = "".join(kinase.splitlines()[1:])
    assert len(found["hits"]) == 5
    for hit in found["hits"]:
        address = f"/v1/databases/demo/sequences/sp%7C{hit['hit_acc']}%7C{hit['hit_id']}"
        subject = http.get(address, params={"format": "json"}).json()["sequence"]
        # A gap's first residue costs 10 + 1.
        assert parasail.sw_striped_32(query, subject, 11, 1, matrix).score == hit["hit_hsps"][0]["hsp_score"]


def test_printed_command_gives_the_hits(
    server: Server, blast: Script, fasta: Script, kinase: str, tmp_path: Path
) -> None:
    own = {"min_identity": 30, "min_bits": 20, "alignments": 1, "query_loc": "9-200", "score_distribution": True}
    jobs = [
        (blast, blast.run(sequence=kinase, scores=5, matrix="PAM250")),
        (fasta, fasta.run(program="ssearch", sequence=kinase, scores=150, expupperlim=1e3)),
        (blast, f"ncbiblast-{server.search(kinase, **own)['search']}"),
    ]
    (tmp_path / "sequence").write_text(kinase)
    for script, job in jobs:
        results = script.results(job)
        command = json.loads(results["json"])["command"]
        assert f'command="{command}"' in results["xml"]
        asked = [*shlex.split(command)[1:], "--data", str(server.data), "-outfmt", "6 sacc score evalue"]
        done = subprocess.run([*COMMAND, *asked], cwd=tmp_path, capture_output=True, text=True, check=True)
        search = job.partition("-")[2]
        with server.http as http:
            there = http.get(f"/v1/searches/{search}/results?format=tab&columns=sacc,score,evalue")
        assert done.stdout == there.text, command
        assert len(there.text.splitlines()) > 2


@pytest.mark.skipif(shutil.which("ssearch36") is None, reason="SSEARCH is not installed")
@pytest.mark.parametrize("matrix", ["BL50", "BL62", "BL80"])
def test_fasta_is_ssearch_with_its_defaults(fasta: Script, kinase: str, tmp_path: Path, matrix: str) -> None:
    found = json.loads(fasta.results(fasta.run(program="ssearch", sequence=kinase, matrix=matrix))["json"])["hits"]
    query, subjects = tmp_path / "query.fasta", tmp_path / "subjects.fasta"
    query.write_text(kinase)
    with gzip.open(DEMO / "proteins.fasta.gz", "rt") as proteins:
        subjects.write_text(proteins.read())
    options = ["-q", "-p", "-s", matrix, "-z", "1", "-E", "10", "-d", "0", "-b", "20", "-m", "9"]
    command = ["ssearch36", *options, str(query), str(subjects)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^sp\|(\w+)\|\w+ .*\( *\d+\) +(\d+) +[\d.]+ +(\S+)", printed, re.MULTILINE)
    assert len(rows) >= 10
    ours = {hit["hit_acc"]: hit["hit_hsps"][0] for hit in found}
    for accession, score, evalue in rows:
        assert ours[accession]["hsp_score"] == int(score)
        # The two fits are not the same (docs/statistics.md).
        assert abs(math.log10(ours[accession]["hsp_expect"] / float(evalue))) < 1


def test_figures_that_there_are_none_of_are_no_numbers(fasta: Script, kinase: str) -> None:
    # A database too small for a fit, and gap costs without published parameters.
    found = fasta.results(fasta.run(program="ssearch", database="tiny", sequence=kinase, gapopen=-9, gapext=-4))
    root = ElementTree.fromstring(found["xml"])
    figures = [element.text for name in ("bits", "expectation") for element in root.iter(f"{SPACE}{name}")]
    assert set(figures) == {"NaN"}
    hits = json.loads(found["json"])["hits"]
    assert {hit["hit_hsps"][0]["hsp_expect"] for hit in hits} == {None}


def test_waiting_job_is_running_and_is_known_to_its_tool_alone(
    server: Server, http: httpx.Client, long_search: str
) -> None:
    server.until_running(long_search)
    assert http.get(f"/rest/ncbiblast/status/ncbiblast-{long_search}").text == "RUNNING"
    early = http.get(f"/rest/ncbiblast/result/ncbiblast-{long_search}/out")
    assert (early.status_code, error_in(early.text)) == (400, f"search {long_search} is running")
    http.post(f"/v1/searches/{long_search}:cancel")
    assert http.get(f"/rest/ncbiblast/status/ncbiblast-{long_search}").text == "FAILURE"
    for job in (f"fasta-{long_search}", long_search, "ncbiblast-R20260101-000000-0000-00000000-p1m"):
        assert http.get(f"/rest/ncbiblast/status/{job}").text == "NOT_FOUND"


def error_in(text: str) -> str | None:
    """As EBI's scripts find it: the text of the first child."""
    return ElementTree.fromstring(text)[0].text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"program": "blastx"}, "program: "),
        ({"matrix": "<b>"}, "matrix: unknown matrix '<b>'"),
        ({"sequence": ">a\nMK1"}, "record 1, line 2, column 3: '1' is not an amino acid letter"),
        ({"sequence": ""}, "sequence: it is missing"),
        ({"database": "uniprotkb"}, "database: no database of this name; there are: demo, tiny"),
        ({"gapopen": 10, "gapext": 3}, "gapopen: no published statistics"),
        ({"scores": 20000}, "scores: "),
    ],
)
def test_errors_are_xml_with_400(blast: Script, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        blast.run(**{"sequence": "MKV", **fields})
    with caught.value as error:
        assert error.code == 400
        assert (error_in(error.read().decode()) or "").startswith(said)


@pytest.mark.parametrize(
    "path",
    ["clustalo/parameters", "ncbiblast/parameterdetails/colour", "ncbiblast/resulttypes/x", "ncbiblast/result/x/out"],
)
def test_what_is_not_there_is_404(http: httpx.Client, path: str) -> None:
    reply = http.get(f"/rest/{path}")
    assert (reply.status_code, ElementTree.fromstring(reply.text).tag) == (404, "error")


def test_unknown_type_of_result_is_404(blast: Script, http: httpx.Client, kinase: str) -> None:
    job = blast.run(sequence=kinase, scores=5, alignments=5)
    assert blast.poll(job) == "FINISHED"
    reply = http.get(f"/rest/ncbiblast/result/{job}/visual-png")
    assert (reply.status_code, "out, json" in (error_in(reply.text) or "")) == (404, True)


def test_search_with_several_queries_is_no_job(server: Server, http: httpx.Client, queries: str) -> None:
    search = server.search(queries, max_target_seqs=1)["search"]
    assert http.get(f"/rest/ncbiblast/result/ncbiblast-{search}/json").status_code == 404
