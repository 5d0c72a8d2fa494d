"""The table of hits on a result's page, as a test reads it and as the interface's answer has it."""

import re
from typing import Any

from playwright.sync_api import Page

from shardwater.formats.number_text import evalue_text

_CELLS = "(rows) => rows.map((row) => [...row.querySelectorAll('[role=cell]')].map((cell) => cell.innerText))"


def rows(page: Page) -> list[list[str]]:
    """The table's rows that are drawn, cell by cell, without the box to tick."""
    drawn: list[list[str]] = page.locator(".hit .hit-row").evaluate_all(_CELLS)
    return [row[1:] for row in drawn]


def bits_shown(bits: float) -> str:
    return str(int(bits)) if bits > 99.9 else f"{bits:.1f}"


def cells(hit: dict[str, Any]) -> list[str]:
    """A hit as a row of the table shows it."""
    aligned = hit["identity"] is not None
    title, organism = named(hit["title"])
    return [
        str(hit["rank"]),
        f"{hit['accession']}{title}",
        organism,
        bits_shown(hit["bits"]),
        evalue_text(hit["evalue"]),
        f"{hit['identity']:.1f}" if aligned else "–",
        f"{hit['query_coverage']:.1f}" if aligned else "Align",
    ]


def named(title: str) -> tuple[str, str]:
    """A title of UniProt's without its fields, and the organism that these name."""
    found = re.fullmatch(r"(.*?) OS=(.*?)(?: (?:OX|GN|PE|SV)=.*)?", title)
    assert found
    return found[1], found[2]


def show_columns(page: Page, *labels: str) -> None:
    """Tick columns of the table that are not shown at first."""
    page.get_by_role("button", name="Columns").click()
    for label in labels:
        page.locator(".menu-list").get_by_label(label).check()
    page.keyboard.press("Escape")


def show_scores(page: Page) -> None:
    """Unfold the distribution of scores."""
    page.get_by_role("button", name="Score distribution").click()
    page.locator(".histogram").wait_for()


def plain(row: list[str]) -> list[str]:
    """A row without the line break between accession and title, and without the mark of E-values that differ."""
    return [cell.replace("\n", "").removeprefix("≠") for cell in row]
