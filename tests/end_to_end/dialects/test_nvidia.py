"""NVIDIA's MSA Search: a request is answered with its MSAs."""

from typing import Any

import httpx
import pytest

PLACE = "/biology/colabfold/msa-search"


@pytest.fixture(scope="module")
def chains(queries: str) -> list[str]:
    """Two real proteins."""
    return ["".join(record.splitlines()[1:]) for record in queries.split(">")[2:4]]


def told(reply: httpx.Response) -> dict[str, Any]:
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def names(text: str) -> list[str]:
    return [line[1:].split("\t")[0] for line in text.splitlines() if line.startswith(">")]


def ours(http: httpx.Client, chain: str, of: str = "databases", **fields: Any) -> list[str]:
    """The rows that our own interface finds."""
    asked = {"queries": chain, "databases": ["demo"], "evalue": 1e-4, "inclusion_evalue": 0.1, **fields}
    job = http.post("/v1/msas", json=asked, headers={"Prefer": "wait=60"}).headers["Location"]
    return names(http.get(f"{job}/results?of={of}&format=a3m").text)[1:]


def test_all_databases_are_those_that_stand_for_colabfolds(http: httpx.Client, chains: list[str]) -> None:
    found = told(http.post(f"{PLACE}/predict", json={"sequence": chains[0]}))["alignments"]
    assert list(found) == ["demo", "tiny"]
    for name, of in (("demo", "databases"), ("tiny", "then")):
        record = found[name]["a3m"]
        assert record["format"] == "a3m"
        assert record["alignment"].splitlines()[1] == chains[0]
        assert names(record["alignment"])[1:] == ours(http, chains[0], of, then=["tiny"])


@pytest.mark.parametrize("named", [["Uniref30_2302", "colabfold_envdb_202108"], ["DEMO", "Tiny"]])
def test_databases_have_the_names_that_were_given(http: httpx.Client, chains: list[str], named: list[str]) -> None:
    asked = {"sequence": chains[0], "databases": named, "max_msa_sequences": 5}
    found = told(http.post(f"{PLACE}/predict", json=asked))["alignments"]
    assert list(found) == named
    assert names(found[named[0]]["a3m"]["alignment"])[1:] == ours(http, chains[0], then=["tiny"])[:5]


def test_each_database_by_itself_in_as_many_rounds_and_both_formats(http: httpx.Client, chains: list[str]) -> None:
    asked = {
        "sequence": chains[0],
        "databases": ["tiny", "demo"],
        "search_type": "alphafold2",
        "iterations": 2,
        "e_value": 0.001,
        "output_alignment_formats": ["a3m", "fasta"],
    }
    found = told(http.post(f"{PLACE}/predict", json=asked))["alignments"]
    assert [list(found[name]) for name in ("tiny", "demo")] == [["a3m", "fasta"]] * 2
    expected = ours(http, chains[0], iterations=2, evalue=0.001, inclusion_evalue=0.002)
    assert names(found["demo"]["a3m"]["alignment"])[1:] == expected
    rows = found["demo"]["fasta"]["alignment"].split(">")[1:]
    assert len({len("".join(row.splitlines()[1:])) for row in rows}) == 1


@pytest.mark.parametrize("by_name", [False, True])
def test_chains_are_paired(http: httpx.Client, chains: list[str], by_name: bool) -> None:
    sequences = [chains[0], chains[0][:300]]
    asked = {"sequences": {"H": sequences[0], "L": sequences[1]} if by_name else sequences}
    found = told(http.post(f"{PLACE}/paired/predict", json=asked))["alignments_by_chain"]
    assert list(found) == (["H", "L"] if by_name else ["A", "B"])
    rows = [names(each["demo"]["a3m"]["alignment"]) for each in found.values()]
    assert [each[0] for each in rows] == list(found)
    assert [{name.rpartition("_")[2] for name in pair} for pair in zip(*rows, strict=True)][1:] in (
        [{"HUMAN"}, {"MOUSE"}], [{"MOUSE"}, {"HUMAN"}],
    )  # fmt: skip


def test_each_item_of_a_batch_is_answered_as_a_request_of_its_own(http: httpx.Client, chains: list[str]) -> None:
    asked = {"databases": ["demo"], "max_msa_sequences": 5}
    batch = [chains[0], "MK?", f"{chains[1]}*", ""]
    results = told(http.post(f"{PLACE}/predict", json={**asked, "sequence": batch}))["results"]
    assert [(item["index"], item["status"]) for item in results] == [
        (0, "success"), (1, "error"), (2, "success"), (3, "error"),
    ]  # fmt: skip
    for item, chain in ((results[0], chains[0]), (results[2], chains[1])):
        assert (
            item["alignments"] == told(http.post(f"{PLACE}/predict", json={**asked, "sequence": chain}))["alignments"]
        )
    assert results[1]["error"] == "record 1, line 2, column 3: '?' is not an amino acid letter"
    assert "no residues" in results[3]["error"]


def test_each_complex_of_a_batch_has_its_own_pairs(http: httpx.Client, chains: list[str]) -> None:
    complexes = [[chains[0], chains[0][:300]], [chains[1]]]
    results = told(http.post(f"{PLACE}/paired/predict", json={"sequences": complexes}))["results"]
    assert [item["status"] for item in results] == ["success", "success"]
    alone = told(http.post(f"{PLACE}/paired/predict", json={"sequences": complexes[0]}))
    assert results[0]["alignments_by_chain"] == alone["alignments_by_chain"]
    assert list(results[1]["alignments_by_chain"]) == ["A"]


@pytest.mark.parametrize(
    ("path", "asked", "status", "detail"),
    [
        ("predict", {}, 422, "sequence: "),
        ("predict", {"sequence": "MK?"}, 422, "'?' is not an amino acid letter"),
        ("predict", {"sequence": "MK\n>b\nMK"}, 422, "sequences: "),
        ("predict", {"sequence": "MKV", "databases": ["PDB70_220313"]}, 422, "there are: demo, tiny, all"),
        ("predict", {"sequence": "MKV", "databases": ["demo"] * 4}, 422, "databases: "),
        ("predict", {"sequence": "MKV", "e_value": 0}, 422, "e_value: "),
        ("predict", {"sequence": "MKV", "max_msa_sequences": 10_001}, 422, "max_msa_sequences: "),
        ("predict", {"sequence": "MKV", "output_alignment_formats": ["sto"]}, 422, "output_alignment_formats: "),
        ("predict", {"sequence": "MKV", "iterationz": 3}, 422, "iterationz: "),
        ("predict", [["MKV"]] * 6000, 400, "one JSON object"),
        ("predict", {"sequence": "M" * 50_001}, 413, "max_query_length"),
        ("predict", {"sequence": ["MKV"] * 301}, 422, "sequence: a batch has 300 items or fewer, not 301"),
        ("predict", {"sequence": ["MK?", ""]}, 422, "'?' is not an amino acid letter"),
        ("paired/predict", {"sequences": []}, 422, "sequences"),
        ("paired/predict", {"sequences": [["MKV"]] * 301}, 422, "sequences: a batch has 300 items"),
        ("paired/predict", {"sequences": [["MKV"] * 100] * 11}, 413, "max_queries"),
        ("paired/predict", {"sequences": ["MKV"] * 101}, 422, "sequences: a complex has 1 to 100 chains"),
        ("paired/predict", {"sequences": {"a\nb": "MKV"}}, 422, "sequences: "),
        ("paired/predict", {"sequences": ["MKV"], "unpack": False}, 422, "unpack: "),
    ],
)
def test_errors_are_json(http: httpx.Client, path: str, asked: Any, status: int, detail: str) -> None:
    reply = http.post(f"{PLACE}/{path}", json=asked)
    assert (reply.status_code, list(reply.json())) == (status, ["detail"]), reply.text
    assert detail in reply.json()["detail"]
