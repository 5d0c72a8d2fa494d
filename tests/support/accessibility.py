"""What keeps people from using a page: axe-core's findings, and text beyond the window."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# What passes is left out: to describe it takes twice as long as to look for faults. No rule here reads style sheets.
_OPTIONS: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
# Rows and blocks like those before them, whose colours take most of the time.
_REPEATED = {
    "exclude": [
        [".hit:nth-child(n+4):not(:has([aria-expanded=true], .selected))"],
        [".blocks tbody tr:nth-child(n+4)"],
        [".alignment .block:nth-of-type(n+3)"],
    ]
}


def faults(page: Page, *rules: str) -> list[str]:
    """What axe-core finds of any weight, as rule and element; by these rules, or by all."""
    script = "" if page.evaluate("'axe' in window") else AXE_SCRIPT
    options = {**_OPTIONS, "runOnly": list(rules)} if rules else _OPTIONS
    found: dict[str, Any] = Axe(script).run(page, _REPEATED, options).response
    return [
        f"{fault['id']} ({fault['impact']}): {node['html']}" for fault in found["violations"] for node in fault["nodes"]
    ]


def faults_in_both(page: Page) -> list[str]:
    """The same in light and in dark colours, which are all that differs."""
    found = faults(page)
    page.emulate_media(color_scheme="dark")
    found += faults(page, "color-contrast")
    page.emulate_media(color_scheme="light")
    return found


_OVERFLOW = """() => new Promise((tell) => {
  let frames = 30;
  const look = () => {
    const pixels = document.documentElement.scrollWidth - innerWidth;
    if (pixels <= 0 || frames-- === 0) tell(pixels);
    else requestAnimationFrame(look);
  };
  look();
})"""


def overflow(page: Page) -> int:
    """Pixels by which the page is wider than the window, once its drawings have followed that: some frames later."""
    return int(page.evaluate(_OVERFLOW))
