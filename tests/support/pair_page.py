"""The table of a job of pairs as tests read it, beside what the service says."""

import re
from typing import Any

from playwright.sync_api import Locator, Page

from tests.support.browser import Visit


def table(page: Page) -> Locator:
    return page.get_by_role("table", name="Pairs")


_CELLS = """(rows) => rows.map((row) => {
    const cells = [...row.querySelectorAll("[role=cell]")].filter((cell) => cell.checkVisibility());
    return cells.map((cell) => cell.innerText);
})"""
"""What is seen of rows."""


def rows(page: Page) -> list[list[str]]:
    """The rows that are drawn, cell by cell."""
    drawn: list[list[str]] = page.locator(".hit-list .pair-row").evaluate_all(_CELLS)
    return [[re.sub(r"\s+", " ", cell).strip() for cell in row] for row in drawn]


def cells(number: int, pair: dict[str, Any]) -> list[str]:
    """A pair as a row of the table shows it."""
    places = [f"{pair[f'{side}_from']:,}–{pair[f'{side}_to']:,}" for side in ("query", "subject")]
    places[0] += " −" if pair["strand"] == "-" else ""
    identity = f"{100 * pair['identity'] / pair['align_len']:.1f}"
    numbers = [identity, f"{pair['gaps']:,}", f"{pair['align_len']:,}"]
    return [f"{number:,}", pair["query"], pair["subject"], f"{pair['score']:,}", *numbers, *places]


def opened(visit: Visit, path: str) -> Page:
    page = visit.open(path)
    table(page).wait_for()
    return page
