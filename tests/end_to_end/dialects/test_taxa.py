"""Searches of some taxa by each of the older interfaces find what our own finds."""

import json
import re
from typing import Any

import httpx
import pytest

from tests.support.server import Server, until

MOUSE = 10090


@pytest.fixture(scope="module")
def of_mouse(server: Server, kinase: str) -> list[str]:
    """Accessions of the hits by our own interface."""
    fields = {"evalue": 0.001, "statistics": "table", "order": "score", "taxids": [MOUSE]}
    hits: list[dict[str, Any]] = server.search(kinase, **fields)["results"][0]["hits"]
    assert len(hits) > 1
    assert {hit["taxid"] for hit in hits} == {MOUSE}
    return [hit["accession"] for hit in hits]


def test_ncbi(http: httpx.Client, kinase: str, of_mouse: list[str]) -> None:
    body = {"CMD": "Put", "PROGRAM": "blastp", "DATABASE": "demo", "QUERY": kinase, "EXPECT": "0.001"}
    choices = ({"ENTREZ_QUERY": f"txid{MOUSE}[ORGN]"}, {"EQ_MENU": f"mouse (taxid:{MOUSE})"}, {"TAXIDS": str(MOUSE)})
    replies = [http.post("/Blast.cgi", data=body | choice).text for choice in choices]
    [rid] = {found for reply in replies for found in re.findall(r"RID = (\w+)", reply)}
    form = {"CMD": "Get", "RID": rid, "FORMAT_TYPE": "JSON2_S"}
    [report] = json.loads(http.get("/Blast.cgi", params=form).text)["BlastOutput2"]
    descriptions = [hit["description"][0] for hit in report["report"]["results"]["search"]["hits"]]
    assert [each["accession"] for each in descriptions] == of_mouse
    assert {(each["taxid"], each["sciname"]) for each in descriptions} == {(MOUSE, "Mus musculus")}


def test_ebi(http: httpx.Client, kinase: str, of_mouse: list[str]) -> None:
    form = {"email": "a@b.org", "program": "blastp", "stype": "protein", "database": "demo", "exp": "0.001"}
    job = http.post("/rest/ncbiblast/run", data={**form, "sequence": kinase, "taxids": str(MOUSE)}).text
    until(lambda: http.get(f"/rest/ncbiblast/status/{job}").text == "FINISHED")
    found = http.get(f"/rest/ncbiblast/result/{job}/json").json()
    assert [hit["hit_acc"] for hit in found["hits"]] == [name.split("|")[1] for name in of_mouse]
    assert f"-taxids {MOUSE}" in found["command"]
    refused = http.post("/rest/ncbiblast/run", data={**form, "sequence": kinase, "taxids": "5"})
    assert (refused.status_code, "taxids: no sequence of the database" in refused.text) == (400, True)


def test_mmseqs(http: httpx.Client, kinase: str, of_mouse: list[str]) -> None:
    ticket = http.post(
        "/ticket", data={"q": kinase, "database[]": "demo", "taxfilter": "1&&!9606&&!10116&&!562"}
    ).json()
    until(lambda: http.get(f"/ticket/{ticket['id']}").json()["status"] == "COMPLETE")
    [result] = http.get(f"/result/{ticket['id']}/0").json()["results"]
    assert [each["target"] for each in result["alignments"][0]] == of_mouse
    listed = {each["path"]: each["taxonomy"] for each in http.get("/databases").json()["databases"]}
    assert listed == {"demo": True, "tiny": False}
