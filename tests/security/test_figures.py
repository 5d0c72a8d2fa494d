"""Pictures that are opened in a browser: what somebody has put into names is text, and sizes have bounds."""

import httpx
import pytest

from app.middleware.request_limits import _HEADERS
from tests.support.guarded import QUERY, Guarded, search
from tests.support.pictures import picture, texts
from tests.support.problems import problem

HOSTILE = "<script>alert(1)</script>&\"'><image/href=x>]]>"
CONTROLS = "\x01\x1b[31m\x7f\u202e\ufffe"
RESIDUES = QUERY.split("\n")[1]
WAIT = {"Prefer": "wait=60"}


@pytest.fixture(scope="module")
def owner(guarded: Guarded) -> httpx.Client:
    return guarded.client("artist")


@pytest.fixture(scope="module")
def places(owner: httpx.Client) -> list[str]:
    """Pictures of each kind whose names would do something if they were no text."""
    named = f">{HOSTILE}{CONTROLS} {HOSTILE}{CONTROLS}\n{RESIDUES}\n"
    found = search(owner, named, title=HOSTILE, score_distribution=True).json()["search"]
    pairs = {"queries": named, "subjects": named, "title": HOSTILE}
    aligned = owner.post("/v1/alignments", json=pairs, headers=WAIT).json()["id"]
    genome = f">{HOSTILE}{CONTROLS}\n{'ACGTTGCATTGACCAG' * 8}\n"
    compared = owner.post("/v1/comparisons", json={"query": genome, "subject": genome, "title": HOSTILE}, headers=WAIT)
    chains = {"queries": [{"chains": [named]}], "databases": ["demo"], "iterations": 1, "title": HOSTILE}
    assert owner.post("/v1/msas", json=chains, headers=WAIT).status_code == 200
    [msas] = owner.get("/v1/msas?page_size=1").json()["items"]
    return [
        *(f"/v1/searches/{found}/figures/{name}.svg" for name in ("hits", "scores", "alignment")),
        *(f"/v1/msas/{msas['id']}/figures/{name}.svg" for name in ("rows", "conservation")),
        f"/v1/alignments/{aligned}/figures/alignment.svg",
        f"/v1/comparisons/{compared.json()['id']}/figures/dotplot.svg",
    ]


def test_names_in_pictures_are_text_and_nothing_in_them_runs(owner: httpx.Client, places: list[str]) -> None:
    for place in places:
        reply = owner.get(place)
        assert reply.status_code == 200, reply.text
        # Fails for any element or attribute that could do something, or fetch something.
        root = picture(reply.text)
        assert "<script" not in reply.text
        assert any("<script>" in each for each in texts(root)), place
        assert {name: reply.headers.get(name) for name in _HEADERS} == _HEADERS
        name = reply.headers["Content-Disposition"].removeprefix('attachment; filename="').removesuffix('.svg"')
        assert set(name) <= {*"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"}


@pytest.mark.parametrize(
    "asked",
    [
        "hits.svg?width=1000000000",
        "hits.svg?width=-1",
        "hits.svg?hits=1-999999999",
        f"hits.svg?hits={'1,' * 20_000}1",
        "scores.svg?width=4001",
        "alignment.svg?hit=1000000000",
        "alignment.svg?alignment=1001",
    ],
)
def test_pictures_have_bounds(owner: httpx.Client, places: list[str], asked: str) -> None:
    reply = owner.get(f"{places[0].rpartition('/')[0]}/{asked}")
    if "1,1" in asked:
        # The same hit again and again is one bar.
        assert len(picture(reply.text).findall("{*}g")) == 1
    else:
        problem(reply, 422, "invalid-parameter")


@pytest.mark.parametrize("asked", ["rows=1000", "from=1000000000", "to=1000000000", "width=4001", "chain=1000000000"])
def test_pictures_of_msas_have_bounds(owner: httpx.Client, places: list[str], asked: str) -> None:
    problem(owner.get(f"{places[3]}?{asked}"), 422, "invalid-parameter")


def test_strangers_see_none(guarded: Guarded, places: list[str]) -> None:
    for place in places:
        problem(guarded.anybody().get(place), 401, "unauthenticated")
        problem(guarded.client("somebody").get(place), 404, "not-found")
