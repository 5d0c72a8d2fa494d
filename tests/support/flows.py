"""What people do with each kind of work: what goes in, what the result shows first, what is opened and taken."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Locator, Page, expect

from shardwater.sequences.fasta import read_fasta
from tests.support import hit_table, pair_page
from tests.support.demo import DEMO
from tests.support.planted_genomes import QUERY, SUBJECT

SIZES = {
    # The first one sees the waiting, too: equal requests that follow are answered at once.
    "phone": {"width": 390, "height": 844},
    "desk": {"width": 1366, "height": 768},
    "large": {"width": 1920, "height": 1080},
}
Told = dict[str, Any]
"""A result as the interface has it."""
_PROTEINS = [
    f">{each.header}\n{each.residues.decode()}\n" for each in read_fasta((DEMO / "queries.fasta").read_bytes())
]
_MSA_HEAD, _MSA_ROW = 36, 16
"""Pixels of the scale above the rows of an MSA, and of a row."""


@dataclass(frozen=True)
class Flow:
    """One kind of work, from its form to what is taken away."""

    tab: str
    noun: str
    form: str
    """The form's address."""
    typed: dict[str, str]
    """What is typed into it, by member of the interface's request."""
    labels: tuple[str, ...]
    """The fields of these."""
    jobs: str
    """The interface's name of such jobs."""
    button: str
    """What sends the form."""
    result: str
    """Selects what is there once the result is."""
    screen: Callable[[Page, Told], bool]
    """Whether the first screen, as it is, tells what is asked for most."""
    row: Callable[[Page], Locator]
    """What opens a row of the result."""
    place: dict[str, int] | None
    """Where in that, if not in its middle."""
    opened: str
    """Selects what a row that is open shows."""
    filtered: tuple[str, str, Callable[[Told], str]]
    """A field's label, what is typed there, and what the page says then."""
    file: tuple[str, bytes]
    """An entry of the downloads, and how that file begins."""
    figure: str | None
    """An entry of the downloads; none where the kind has no picture."""

    @property
    def title(self) -> str:
        return f"a flow of {self.noun}"

    @property
    def body(self) -> dict[str, object]:
        """What the interface is asked for, as the form does."""
        numbers = {name: int(text) for name, text in self.typed.items() if text.isdecimal()}
        besides = {
            "searches": {"database": "demo", "score_distribution": True},
            "msas": {"databases": ["demo"]},
        }.get(self.jobs, {})
        return {**self.typed, **numbers, **besides, "title": self.title}

    def fields(self, page: Page) -> list[tuple[Locator, str]]:
        """The fields, and what is typed into each."""
        texts = [*zip(self.labels, self.typed.values(), strict=True), (f"Name of this {self.noun}", self.title)]
        return [(page.get_by_label(label), text) for label, text in texts]

    def sender(self, page: Page) -> Locator:
        """The button that sends the form."""
        return page.get_by_role("button", name=self.button, exact=True)

    def made(self, http: httpx.Client, **changed: object) -> str:
        """Ask the interface for the same; the address of the result's page."""
        reply = http.post(f"/v1/{self.jobs}", json=self.body | changed)
        assert reply.is_success, reply.text
        return f"/{self.jobs}/{reply.json()['id']}"

    def wait(self, page: Page) -> None:
        """Until the result is there."""
        page.locator(self.result).first.wait_for()
        expect(page.get_by_role("heading", level=1)).to_have_text(self.title)


def told(http: httpx.Client, page: Page) -> Told:
    """What the interface says of the result that a page shows."""
    chain = {"chain": 1} if "/msas/" in page.url else {}
    answer = http.get(f"/v1{urlsplit(page.url).path}/results", params={"format": "json", **chain})
    return dict(answer.json())


def whole(part: Locator) -> bool:
    """Whether all of a part is within the window as it is."""
    box, size = part.bounding_box(), part.page.viewport_size
    assert size is not None
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def _hits(page: Page, result: Told) -> bool:
    expected = hit_table.cells(result["results"][0]["hits"][0])
    return whole(page.locator(".hit .hit-row").nth(1)) and hit_table.plain(hit_table.rows(page)[0]) == expected


def _pairs(page: Page, result: Told) -> bool:
    expected, row = pair_page.cells(1, result["alignments"][0]), pair_page.rows(page)[0]
    # A narrow window leaves gaps and places to the row that is opened.
    shown = [cell for cell in row if cell]
    return whole(page.locator(".hit .pair-row").nth(3)) and set(expected[:5]) <= set(shown) <= set(expected)


def _plot(page: Page, result: Told) -> bool:
    del result
    return whole(page.get_by_role("application"))


def _rows(page: Page, result: Told) -> bool:
    box, size = page.get_by_role("application").bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] + _MSA_HEAD + min(4, len(result["rows"])) * _MSA_ROW <= size["height"]


def _hits_left(result: Told) -> str:
    hits = result["results"][0]["hits"]
    return f"{sum((hit['identity'] or 0) >= 40 for hit in hits)} of {len(hits)} hits"


def _pairs_left(result: Told) -> str:
    pairs = result["alignments"]
    return f"{sum(pair['score'] >= 40 for pair in pairs)} of {len(pairs)} pairs"


def _hsps_left(result: Told) -> str:
    hsps = result["hsps"]
    return f"{sum(hsp['length'] >= 3500 for hsp in hsps)} of {len(hsps)} HSPs"


def _rows_left(result: Told) -> str:
    rows = result["rows"]
    return f"{sum(row['identity'] >= 40 for row in rows)} of {len(rows)} rows"


_PROTEIN_FIELD = "Protein sequences in FASTA"
_HIT = ".hit-open"
FLOWS = (
    Flow(
        tab="Search",
        noun="search",
        form="/",
        typed={"sequence": _PROTEINS[1] + _PROTEINS[2], "max_target_seqs": "12"},
        labels=(_PROTEIN_FIELD, "Hits at most"),
        jobs="searches",
        button="Search",
        result=".hits .toolbar",
        screen=_hits,
        row=lambda page: page.locator(_HIT).first,
        place=None,
        opened=".detail .alignment",
        filtered=("Identity ≥", "40", _hits_left),
        file=("Table, tab-separated (BLAST 6)", b"sp|Q9DC28|KC1D_MOUSE\t"),
        figure="Hits along the query, SVG",
    ),
    Flow(
        tab="Align",
        noun="alignment",
        form="/align",
        typed={"queries": "".join(_PROTEINS), "subjects": "".join(_PROTEINS[::-1])},
        labels=("Queries: sequences in FASTA", "Subjects: sequences in FASTA"),
        jobs="alignments",
        button="Align",
        result=".pair-row .hit-open",
        screen=_pairs,
        row=lambda page: page.locator(_HIT).first,
        place=None,
        opened=".detail .alignment",
        filtered=("Score ≥", "40", _pairs_left),
        file=("SAM", b"@HD"),
        figure=None,
    ),
    Flow(
        tab="Compare",
        noun="comparison",
        form="/compare",
        typed={"query": QUERY, "subject": SUBJECT},
        labels=("Query: DNA in FASTA", "Subject: DNA in FASTA"),
        jobs="comparisons",
        button="Compare",
        result=".hsp-list .hsp-row",
        screen=_plot,
        row=lambda page: page.locator(".hsp-show").first,
        place=None,
        opened=".hsp-row.marked",
        filtered=("Length ≥", "3500", _hsps_left),
        file=("MAF", b"##maf"),
        figure="Dot plot, SVG",
    ),
    Flow(
        tab="MSA",
        noun="MSA",
        form="/msas",
        typed={"queries": _PROTEINS[2] + _PROTEINS[3]},
        labels=(_PROTEIN_FIELD,),
        jobs="msas",
        button="Build",
        result=".conservation .line-identity",
        screen=_rows,
        row=lambda page: page.get_by_role("application"),
        place={"x": 20, "y": _MSA_HEAD + _MSA_ROW // 2},
        opened=".msa-detail .alignment",
        filtered=("Identity ≥", "40", _rows_left),
        file=("Stockholm", b"# STOCKHOLM 1.0"),
        figure="First rows, SVG",
    ),
)
