"""What keeps people from using a page: axe-core's findings, and text beyond the window."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def faults(page: Page) -> list[str]:
    """What axe-core finds of any weight, as rule and element."""
    # What passes is left out: to describe it takes twice as long as to look for faults.
    found: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"]}).response
    return [
        f"{fault['id']} ({fault['impact']}): {node['html']}" for fault in found["violations"] for node in fault["nodes"]
    ]


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
