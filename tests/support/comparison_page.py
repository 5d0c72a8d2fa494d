"""A comparison's page as tests read it: its plot, and its list beside what the service says."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, Route

from tests.support.browser import Visit, send_on

SHIFTED = """async () => {
    let moved = 0;
    const add = (list) => list.getEntries().forEach(({ value }) => (moved += value));
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return moved;
}"""
"""How much of the page has moved by itself since it was opened, as Chromium counts it."""

COLOURS = """(canvas) => {
    const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    const times = new Map();
    for (const pixel of pixels) if (pixel >>> 24 === 255) times.set(pixel, (times.get(pixel) ?? 0) + 1);
    return [...times].filter(([, each]) => each > 100).map(([pixel]) => pixel);
}"""
"""The opaque colours of a drawing, but for those of edges."""


def plot(page: Page) -> Locator:
    return page.get_by_role("application")


def rows(page: Page) -> list[list[str]]:
    """The list's rows that are drawn, cell by cell."""
    return [row.get_by_role("cell").all_inner_texts() for row in page.locator(".hsp-list .hsp-row").all()]


def cells(hsp: dict[str, Any]) -> list[str]:
    """An HSP as a row of the list shows it."""
    strand = "reverse" if hsp["strand"] == "-" else "forward"
    sides = [f"{hsp[side]} {hsp[f'{side}_from']:,}–{hsp[f'{side}_to']:,}" for side in ("query", "subject")]
    return [sides[0], f"{sides[1]} {strand}", f"{hsp['length']:,}", f"{hsp['identity']:.1f}", f"{hsp['score']:,}"]


def plain(row: list[str]) -> list[str]:
    return [re.sub(r"\s+", " ", cell).strip() for cell in row]


def opened(visit: Visit, path: str) -> Page:
    page = visit.open(path)
    plot(page).wait_for()
    return page


def altered(route: Route, change: dict[str, Any]) -> None:
    """Send a page on with members of its comparison changed."""
    send_on(route, lambda view: view["comparison"].update(change))


_HSPS = """() => {
    const bytes = new DataView(new ArrayBuffer(17 * COUNT));
    for (let row = 0; row < COUNT; row += 1) {
        const places = [row, Math.max(0, 17000 - row), 20 + (row % 90), 18];
        places.forEach((each, place) => bytes.setInt32(17 * row + 4 * place, each, true));
    }
    const real = fetch;
    const rows = () => Promise.resolve(new Response(bytes));
    globalThis.fetch = (address, asked) => (address.endsWith("format=rows") ? rows() : real(address, asked));
}"""


def hsps_in_place(count: int) -> str:
    """A script for the page that reads this many HSPs where the server has others."""
    return f"({_HSPS.replace('COUNT', str(count))})()"
