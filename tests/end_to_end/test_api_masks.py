"""Masks over HTTP and from the command line: told, checked, and the same everywhere."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import here
from tests.support.problems import problem
from tests.support.server import Server

TAIL = "QQQQPQQQQQQQPQQQQQQQ"


@pytest.fixture(scope="module")
def query(queries: str) -> str:
    """A protein of the demo, with a tail of few letters."""
    return f">q {queries.split('>')[1].rstrip()}{TAIL}\n"


@pytest.fixture(scope="module")
def result(server: Server, query: str) -> dict[str, Any]:
    return server.search(query, mask="seg", evalue=1e9, max_target_seqs=30)


def test_a_result_says_what_was_masked(result: dict[str, Any]) -> None:
    [one] = result["results"]
    length = one["query"]["length"]
    assert result["parameters"]["mask"] == "seg"
    assert one["query"]["masked"]["ranges"][-1] == {"first": length - len(TAIL) + 1, "last": length}
    assert one["query"]["masked"]["letters"] >= len(TAIL)
    assert one["statistics"]["mask"] == {"method": "seg", "left_out": 0, "lowest_evalue": None}
    assert all(0 <= hit["masked"]["score"] <= hit["score"] for hit in one["hits"])
    assert any(hit["masked"]["score"] < hit["score"] for hit in one["hits"])


def test_pairwise_reports_say_it(server: Server, result: dict[str, Any]) -> None:
    with server.http as http:
        text = http.get(f"/v1/searches/{result['search']}/results", params={"format": "pairwise"}).text
    assert "\nMasked by seg; left out by that: 0 subjects\n" in text
    assert ", Method: masked to a score of " in text


def test_a_verification_computes_it_again(server: Server, result: dict[str, Any]) -> None:
    with server.http as http:
        for sample in ("", "?sample=5"):
            place = f"/v1/searches/{result['search']}:verify{sample}"
            report = http.post(place, headers={"Prefer": "wait=60"}).json()["report"]
            assert (report["equal"], report["total"]) == (True, 0)


def test_command_line_finds_the_same(server: Server, result: dict[str, Any], query: str, tmp_path: Path) -> None:
    sequence, out = tmp_path / "query.fasta", tmp_path / "result.json"
    sequence.write_text(query)
    flags = ["-query", sequence, "-db", "demo", "-mask", "seg", "-evalue", "1e9", "-max_target_seqs", 30]
    for place in (["--data", server.data], ["--server", server.url]):
        done = here("search", *flags, *place, "-alignments", 100, "-outfmt", "json", "-out", out)
        assert done.returncode == 0, done
        assert f'"digest": "{result["digest"]}"' in out.read_text()


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"mask": "dust"}, "'none', 'soft', 'seg' or 'tantan'"), ({"mask": "seg", "statistics": "none"}, "for a mask")],
)
def test_what_cannot_be_masked_is_refused(server: Server, asked: dict[str, Any], said: str) -> None:
    assert said in str(problem(server.post("MKVL", **asked), 422, "invalid-parameter")["errors"])
