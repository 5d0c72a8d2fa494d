"""Searches in rounds over HTTP: what they find, the profiles that they give out, and searches with these."""

import shutil
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from shardwater.formats.pssms.reading import read_pssm
from shardwater.scoring.matrix_text import write_matrix
from shardwater.scoring.scoring import load_matrix
from tests.support.problems import problem
from tests.support.pssms import pssm_json
from tests.support.searches import LONG
from tests.support.server import PATIENCE_S, Server, until


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with server.http as client:
        yield client


@pytest.fixture(scope="module")
def homeobox(queries: str) -> str:
    """A query of 230 residues, which finds more in its second round."""
    return ">" + queries.split(">")[4]


@pytest.fixture(scope="module")
def result(server: Server, homeobox: str) -> dict[str, Any]:
    """Of two queries, the second of which is like nothing in the database."""
    return server.search(homeobox + ">q2\nWWWWCCCCWWWW\n", iterations=5, title="rounds")


@pytest.fixture(scope="module")
def place(result: dict[str, Any]) -> str:
    return f"/v1/searches/{result['search']}/pssm"


def with_profile(http: httpx.Client, text: str, **fields: object) -> dict[str, Any]:
    """The result of a search that has a profile and no sequence."""
    body = {"database": "demo", "pssm": text, **fields}
    reply = http.post("/v1/searches", json=body, headers={"Prefer": f"wait={PATIENCE_S}"})
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def test_result_says_what_each_round_has_found(result: dict[str, Any]) -> None:
    first, second = result["results"]
    rounds = first["rounds"]
    assert [each["number"] for each in rounds] == [*range(1, len(rounds) + 1)]
    # It finds relatives that a plain search does not, and ends when it finds no more.
    assert (rounds[0]["included"], rounds[0]["kept"], rounds[0]["lost"], rounds[-1]["new"]) == (4, 0, [], [])
    assert rounds[-1]["included"] > 4
    for before, after in pairwise(rounds):
        assert after["included"] == after["kept"] + len(after["new"])
        assert before["included"] == after["kept"] + len(after["lost"])
    assert first["query"]["profile"].startswith("sha256:")
    assert second["query"]["profile"] is None
    assert [round_["included"] for round_ in second["rounds"]] == [0]
    assert (result["parameters"]["iterations"], result["parameters"]["inclusion_evalue"]) == (5, 0.002)


@pytest.mark.parametrize(
    ("form", "media_type", "ending", "begin"),
    [
        ("asn1", "text/plain; charset=utf-8", "asn", "PssmWithParameters ::= {\n"),
        ("ascii", "text/plain; charset=utf-8", "pssm", "\nLast position-specific scoring matrix computed, "),
        ("json", "application/json", "pssm.json", '{"title": "sp|A1YGK7|HXA7_PANPA Homeobox'),
    ],
)
def test_profile_in_each_form_searches_like_the_last_round(
    http: httpx.Client, result: dict[str, Any], place: str, form: str, media_type: str, ending: str, begin: str
) -> None:
    reply = http.get(place, params={"format": form})
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, media_type)
    assert reply.headers["Content-Disposition"] == f'attachment; filename="rounds.1.{ending}"'
    assert reply.text.startswith(begin)
    [again], [first, _] = with_profile(http, reply.text)["results"], result["results"]
    if form == "ascii":
        # The table has no scores of letters that are no residues: chance hits have others, and with them the fit.
        near = [[(hit["accession"], hit["score"]) for hit in one["hits"][:5]] for one in (again, first)]
        assert near[0] == near[1]
    else:
        assert (again["query"], again["hits"]) == (first["query"], first["hits"])


def test_default_is_psiblasts_text_of_the_first_query(http: httpx.Client, place: str) -> None:
    first, named = http.get(place), http.get(place, params={"query": 1, "format": "asn1"})
    assert (first.content, first.headers["ETag"]) == (named.content, named.headers["ETag"])


def test_profile_has_a_tag_and_a_head(http: httpx.Client, place: str) -> None:
    first, other = http.get(place), http.get(place, params={"format": "json"})
    assert first.headers["ETag"] != other.headers["ETag"]
    assert "immutable" in first.headers["Cache-Control"]
    known = http.get(place, headers={"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.content) == (304, b"")
    head = http.head(place)
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", first.headers["ETag"])


@pytest.mark.parametrize(
    ("asked", "parameter"),
    [({"query": "3"}, "query"), ({"query": "0"}, "query"), ({"format": "xml"}, "format"), ({"page": "1"}, "page")],
)
def test_what_cannot_be_had_is_named(http: httpx.Client, place: str, asked: dict[str, str], parameter: str) -> None:
    assert problem(http.get(place, params=asked), 422, "invalid-parameter")["errors"][0]["parameter"] == parameter


def test_query_that_was_searched_for_as_it_is_has_none(
    server: Server, http: httpx.Client, place: str, homeobox: str
) -> None:
    told = problem(http.get(place, params={"query": 2}), 404, "not-found")["detail"]
    assert told == "query 2 was searched for as it is: a profile comes with a second round, with pssm, or of hits"
    once = server.search(homeobox)
    problem(http.get(f"/v1/searches/{once['search']}/pssm"), 404, "not-found")
    problem(http.get("/v1/searches/never/pssm"), 404, "not-found")


def test_profile_of_named_hits_is_that_of_a_round_which_includes_them(
    server: Server, http: httpx.Client, homeobox: str
) -> None:
    """What the first round would include by itself gives what the second one searches with; others give another one."""
    once, twice = server.search(homeobox), server.search(homeobox, iterations=2)
    place = f"/v1/searches/{once['search']}/pssm"
    included = twice["results"][0]["rounds"][0]["included"]
    same = with_profile(http, http.get(place, params={"hits": f"1-{included}", "format": "json"}).text)
    assert same["results"][0]["query"]["profile"] == twice["results"][0]["query"]["profile"]
    reply = http.get(place, params={"hits": "2,1"})
    assert reply.headers["Content-Disposition"].endswith('.1.selected.asn"')
    other = with_profile(http, reply.text)
    assert other["results"][0]["query"]["profile"] not in (None, same["results"][0]["query"]["profile"])


@pytest.mark.parametrize(
    ("hits", "detail"),
    [
        ("0", "0 is no range of ranks: they count up, from 1"),
        ("1;2", "ranks are numbers and ranges of numbers by comma, as 1,5,9-12"),
        ("1-501", "a profile is made of 500 hits at most, not of 501"),
        ("3", "hit 3 is to make a profile and is not aligned: ask for more alignments"),
    ],
)
def test_hits_that_make_no_profile(server: Server, http: httpx.Client, homeobox: str, hits: str, detail: str) -> None:
    found = server.search(homeobox, alignments=2, max_target_seqs=600, evalue=1e9)
    told = problem(http.get(f"/v1/searches/{found['search']}/pssm", params={"hits": hits}), 422, "invalid-parameter")
    assert told["errors"] == [{"parameter": "hits", "detail": detail}]


def test_profile_of_a_search_that_has_not_succeeded_cannot_be_had(idle: Server, http: httpx.Client) -> None:
    accepted = idle.post(LONG, iterations=20, title="to be cancelled").json()["id"]
    place = f"/v1/searches/{accepted}"
    problem(http.get(f"{place}/pssm"), 409, "not-ready")
    http.post(f"{place}:cancel")
    until(lambda: http.get(place).json()["state"] == "cancelled")
    problem(http.get(f"{place}/pssm"), 409, "search-failed")


def test_profiles_go_with_their_search(server: Server, http: httpx.Client, homeobox: str) -> None:
    found = server.search(homeobox, iterations=2, title="to be removed")
    place, folder = f"/v1/searches/{found['search']}", server.data / ".work" / "jobs" / "kept" / found["search"]
    assert [path.name for path in (folder / "rounds").iterdir()] == ["2"]
    assert http.delete(place).status_code == 204
    assert not folder.exists()
    problem(http.get(f"{place}/pssm"), 404, "not-found")


def test_profile_that_has_changed_is_not_given_out(server: Server, http: httpx.Client, homeobox: str) -> None:
    found = server.search(homeobox, iterations=2, title="damaged")
    [path] = (server.data / ".work" / "jobs" / "kept" / found["search"] / "rounds").iterdir()
    for damage in (lambda: path.write_bytes(path.read_bytes()[:-9]), path.unlink):
        damage()
        problem(http.get(f"/v1/searches/{found['search']}/pssm"), 500, "internal-error")


@pytest.mark.parametrize("sample", ["", "?sample=20"])
def test_searches_in_rounds_and_with_profiles_are_verified(
    http: httpx.Client, result: dict[str, Any], place: str, sample: str
) -> None:
    given = with_profile(http, http.get(place).text, iterations=2)
    for search in (result["search"], given["search"]):
        reply = http.post(f"/v1/searches/{search}:verify{sample}", headers={"Prefer": f"wait={PATIENCE_S}"})
        assert reply.json()["report"]["equal"] is True


def test_what_was_asked_with_a_profile_can_be_sent_again(http: httpx.Client, place: str) -> None:
    found = with_profile(http, http.get(place, params={"format": "ascii"}).text, query_loc="20-90")
    asked = http.get(f"/v1/searches/{found['search']}/request").json()
    assert read_pssm(asked["pssm"]).query.length == 230
    again = http.post("/v1/searches", json=asked).json()
    assert (again["id"], again["reused"]) == (found["search"], True)


def test_forms_and_files_have_profiles_too(http: httpx.Client, result: dict[str, Any], place: str) -> None:
    text = http.get(place).text
    wait = {"Prefer": f"wait={PATIENCE_S}"}
    for sent in ({"data": {"pssm": text}}, {"data": {}, "files": {"pssm": ("p.asn", text)}}):
        sent["data"] |= {"database": "demo", "sequence": "", "iterations": "1"}
        reply = http.post("/v1/searches", headers=wait, **sent)
        assert reply.status_code == 200, reply.text
        assert reply.json()["results"][0]["query"]["profile"] == result["results"][0]["query"]["profile"]


def test_long_profile_of_a_form_need_not_be_ascii(http: httpx.Client) -> None:
    text = pssm_json("MKVLAAGW" * 125, title="p \u00e9")
    assert len(text) > 1 << 16
    reply = http.post("/v1/searches:estimate", data={"pssm": text, "database": "demo"})
    assert reply.status_code == 200, reply.text
    assert reply.json()["residues"] == 1000


def test_rounds_are_charged_before_they_are_made(http: httpx.Client, homeobox: str) -> None:
    once, often = (
        http.post("/v1/searches:estimate", json={"sequence": homeobox, "database": "demo", "iterations": rounds})
        for rounds in (1, 7)
    )
    assert often.json()["cells"] == 7 * once.json()["cells"]
    assert often.json()["seconds"] > once.json()["seconds"]


@pytest.mark.parametrize(
    ("body", "pointer", "text"),
    [
        ({}, "/sequence", "it is missing"),
        ({"pssm": "PssmWithParameters ::= {"}, "/pssm", "a brace is not closed"),
        ({"pssm": pssm_json(), "sequence": "MKVL"}, "/sequence", "pssm has its query with it"),
        ({"pssm": pssm_json(), "query_loc": "21-30"}, "/query_loc", "21-30 is no part of record 1, which is 1-20"),
        ({"pssm": pssm_json(matrix=f"matrix-{'0' * 32}")}, "/matrix", "send it to /v1/matrices first"),
        ({"sequence": "MKVL", "iterations": 21}, "/iterations", "20 or less is needed"),
    ],
)
def test_what_is_wrong_with_a_profile_is_named(
    http: httpx.Client, body: dict[str, Any], pointer: str, text: str
) -> None:
    for path in ("/v1/searches", "/v1/searches:estimate"):
        reply = http.post(path, json={"database": "demo", **body})
        [told] = problem(reply, 422, "invalid-parameter")["errors"]
        assert (told["pointer"], text in told["detail"]) == (pointer, True), told


def test_profile_does_not_stand_in_an_address(http: httpx.Client) -> None:
    reply = http.post("/v1/searches", params={"database": "demo", "pssm": "x"}, content=b"MKVL", headers=RAW)
    told = problem(reply, 422, "invalid-parameter")["errors"][0]
    assert (told["parameter"], told["detail"]) == ("pssm", "it must not stand in the query string")


RAW = {"Content-Type": "text/plain"}


def test_own_matrix_makes_profiles_that_need_it(http: httpx.Client, homeobox: str) -> None:
    scores = load_matrix("BLOSUM62").scores.copy()
    scores[0, 0] += 1
    text = write_matrix(tuple(map(tuple, scores.tolist())))
    matrix = http.post("/v1/matrices", content=text, headers=RAW).json()["id"]
    asked = {"sequence": homeobox, "database": "demo", "matrix": matrix, "gap_open": 11, "gap_extend": 1}
    wait = {"Prefer": f"wait={PATIENCE_S}"}
    found = http.post("/v1/searches", json={**asked, "iterations": 2}, headers=wait).json()
    for form in ("asn1", "json"):
        text = http.get(f"/v1/searches/{found['search']}/pssm", params={"format": form}).text
        again = with_profile(http, text)
        assert (again["parameters"]["matrix"], again["results"][0]["hits"]) == (matrix, found["results"][0]["hits"])
    assert http.delete(f"/v1/matrices/{matrix}").status_code == 204
    reply = http.post("/v1/searches", json={"database": "demo", "pssm": text})
    assert problem(reply, 422, "invalid-parameter")["errors"][0]["pointer"] == "/matrix"


def test_psiblast_reads_what_we_give_out(http: httpx.Client, place: str, homeobox: str, tmp_path: Path) -> None:
    if shutil.which("psiblast") is None:
        pytest.skip("psiblast is not installed")
    (tmp_path / "ours.asn").write_bytes(http.get(place).content)
    (tmp_path / "subject.fasta").write_text(homeobox)
    asked = ["psiblast", "-in_pssm", "ours.asn", "-subject", "subject.fasta", "-outfmt", "6 score", "-comp_based_stats"]
    theirs = subprocess.run([*asked, "0"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    written = http.get(place, params={"format": "json"}).json()
    each = zip(written["scores"], written["sequence"], strict=True)
    assert int(theirs.split()[0]) == sum(row[written["letters"].index(letter)] for row, letter in each)
