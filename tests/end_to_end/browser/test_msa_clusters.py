"""Members of clusters in an MSA's rows: who stands for whom, a cluster alone, and what was not searched."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from shardwater.sequences.fasta import read_fasta
from tests.support.accessibility import faults, overflow
from tests.support.browser import Begin, Visit
from tests.support.demo import DEMO
from tests.support.server import Server, make_database, running

MEMBERS = 3
"""Of each cluster."""
OF = ".of-the-cluster."
"""Between the name of a representative and the number of a member: too long to be drawn."""
MOST_SEQUENCES = 30
PIXELS = """(canvas, [left, top, width, height]) => {
    const ratio = canvas.width / canvas.clientWidth;
    const around = [left, top, width, height].map((each) => Math.round(each * ratio));
    return [...new Uint32Array(canvas.getContext("2d").getImageData(...around).data.buffer)];
}"""
"""A part of a drawing."""
HEIGHTS = "(canvas) => [canvas.clientHeight, Math.round((canvas.height * canvas.clientWidth) / canvas.width)]"
"""Of a drawing, and that which its letters are drawn for."""


@pytest.fixture(scope="module")
def clustered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The demo's proteins, of which each elongation factor P stands for some that lack its first letters."""
    folder: Path = tmp_path_factory.mktemp("clustered")
    records = read_fasta(gzip.decompress((DEMO / "proteins.fasta.gz").read_bytes()))
    with (folder / "all.fasta").open("w") as fasta, (folder / "members.tsv").open("w") as table:
        for record in records:
            fasta.write(f">{record.header}\n{record.residues.decode()}\n")
            if "|EFP_" not in record.id:
                continue
            for number in range(1, MEMBERS + 1):
                fasta.write(f">{record.id}{OF}{number} a member\n{record.residues.decode()[number:]}\n")
                table.write(f"{record.id}\t{record.id}{OF}{number}\n")
    make_database(folder / "all.fasta", folder / "data", clusters=folder / "members.tsv")
    with running(Server(folder / "data")) as server:
        yield server


@pytest.fixture(scope="module")
def told(clustered: Server, queries: str) -> dict[str, Any]:
    """What the interface says of an MSA that has no room for some members, its id, and its rows."""
    asked = {
        "queries": f">{queries.split('>')[3]}",
        "databases": ["demo"],
        "iterations": 1,
        "filter": "none",
        "max_sequences": MOST_SEQUENCES,
    }
    with clustered.http as http:
        assert http.post("/v1/msas", json=asked, headers={"Prefer": "wait=60"}).status_code == 200
        [made] = http.get("/v1/msas").json()["items"]
        path = made["links"]["self"]
        rows = http.get(f"{path}/results", params={"format": "json"}).json()["rows"]
        return {**http.get(path).json(), "rows": rows}


def shown(begin: Begin, clustered: Server, told: dict[str, Any]) -> tuple[Visit, Locator]:
    """The page of the MSA, and the alignment on it."""
    visit = begin(clustered.url)
    alignment = visit.open(f"/msas/{told['id']}").get_by_role("application")
    alignment.wait_for()
    return visit, alignment


def rows_are(page: Page, alignment: Locator, number: int) -> None:
    """The drawing has so many of the rows."""
    expect(alignment).to_have_attribute("aria-label", re.compile(rf"^{number} rows "))
    expect(page.locator(".msa-rows .toolbar [role=status]")).to_have_text(f"{number} of {MOST_SEQUENCES} rows")
    # The drawing is no larger than the box that it is drawn for: letters would be stretched.
    assert alignment.locator("canvas").evaluate(HEIGHTS) == [alignment.evaluate("(box) => box.clientHeight")] * 2


def test_members_lead_to_their_representative_and_back(begin: Begin, clustered: Server, told: dict[str, Any]) -> None:
    visit, alignment = shown(begin, clustered, told)
    page, rows = visit.page, told["rows"]
    best, member = rows[:2]
    assert (best["representative"], member["representative"], len(rows)) == (None, best["name"], MOST_SEQUENCES)
    canvas = alignment.locator("canvas")
    # Its name stands behind that of its representative: 36 pixels of numbers and the query, and 16 of each row.
    edges = [canvas.evaluate(PIXELS, [2, 36 + 16 * place, 12, 16]) for place in range(3)]
    assert [len(set(edge)) > 1 for edge in edges] == [True, False, False]
    # Members have longer names than there is room for, and still none has that of another.
    assert len({str(canvas.evaluate(PIXELS, [16, 36 + 16 * place, 170, 16])) for place in range(1, 4)}) == MEMBERS
    alignment.focus()
    page.keyboard.press("ArrowDown")
    detail = page.get_by_role("region", name="Chosen row")
    expect(detail).to_contain_text(f"Representative of a cluster with {MEMBERS} other rows here.")
    assert page.request.get(str(detail.get_by_role("link", name="Sequence, FASTA").evaluate("(a) => a.href"))).ok
    page.keyboard.press("ArrowDown")
    expect(detail).to_contain_text(f"Member of the cluster of {best['name']}, which was searched in its place.")
    spoken = f"Row 2 of {len(rows)}: {member['name']} a member, member of the cluster of {best['name']}"
    expect(page.locator(".visually-hidden[role=status]").filter(has_text=spoken)).to_have_count(1)
    # What is told by keys is seen beside the drawing, too.
    expect(page.locator(".msa-readout")).to_contain_text(spoken)
    # The interface finds no member by its accession.
    expect(detail.get_by_role("link", name="Sequence, FASTA")).to_have_count(0)
    detail.get_by_role("button", name="Show this cluster alone").click()
    rows_are(page, alignment, 1 + MEMBERS)
    expect(page.get_by_label("Clusters")).to_have_value(best["name"])
    page.emulate_media(media="print")
    expect(detail.get_by_role("button", name="Show all rows")).to_be_hidden()
    page.emulate_media(media="screen")
    assert faults(page) == []
    visit.shoot("msa-cluster")
    detail.get_by_role("button", name="Show all rows").click()
    expect(alignment).to_have_attribute("aria-label", re.compile(rf"^{len(rows)} rows "))
    page.get_by_label("Clusters").select_option("representatives alone")
    rows_are(page, alignment, sum(row["representative"] is None for row in rows))
    page.set_viewport_size({"width": 390, "height": 844})
    assert overflow(page) == 0


def test_a_cluster_alone_is_shown_whole(begin: Begin, clustered: Server, told: dict[str, Any]) -> None:
    visit, alignment = shown(begin, clustered, told)
    page = visit.page
    words = page.get_by_label("Words in accession, title or organism")
    words.fill(told["rows"][1]["name"])
    expect(alignment).to_have_attribute("aria-label", re.compile(r"^1 row "))
    alignment.press("ArrowDown")
    page.get_by_role("button", name="Show this cluster alone").click()
    rows_are(page, alignment, 1 + MEMBERS)
    expect(words).to_have_value("")


def test_members_stand_behind_nobody_but_their_representative(
    begin: Begin, clustered: Server, told: dict[str, Any]
) -> None:
    visit, alignment = shown(begin, clustered, told)
    visit.page.get_by_label("Words in accession, title or organism").fill("a member")
    rows_are(visit.page, alignment, sum(row["representative"] is not None for row in told["rows"]))
    canvas = alignment.locator("canvas")
    edges = [canvas.evaluate(PIXELS, [2, 36 + 16 * place, 12, 16]) for place in range(3)]
    assert [len(set(edge)) > 1 for edge in edges] == [True, True, True]


def test_a_cluster_without_a_row_that_passes_leads_back_to_all(
    begin: Begin, clustered: Server, told: dict[str, Any]
) -> None:
    visit, alignment = shown(begin, clustered, told)
    page = visit.page
    page.get_by_label("Clusters").select_option("representatives alone")
    words = page.get_by_label("Words in accession, title or organism")
    words.fill("a member")
    page.get_by_role("button", name="Show all").press("Enter")
    expect(alignment).to_have_attribute("aria-label", re.compile(rf"^{MOST_SEQUENCES} rows "))
    expect(words).to_be_focused()


def test_members_are_told_apart_from_what_was_searched(begin: Begin, clustered: Server, told: dict[str, Any]) -> None:
    visit, _ = shown(begin, clustered, told)
    page = visit.page
    [stage] = told["chains"][0]["stages"]
    members = stage["members"]
    assert members["left_out"] > 0
    expect(page.locator(".query-head .facts")).to_contain_text(
        f"Members of clusters{members['rows']}, {members['left_out']} left out"
    )
    page.locator(".certificate summary").click()
    expect(page.locator(".certificate")).to_contain_text(
        f"Members of clusters were not searched: {members['aligned']} of hits' clusters were aligned with the query, "
        f"{members['rows']} of them are rows, and {members['left_out']} more were left out."
    )
    with clustered.http as http:
        [database] = http.get("/v1/databases").json()["items"]
    page = visit.open("/msas")
    expect(page.locator(".database")).to_contain_text(f"{database['members']} members of clusters besides")
