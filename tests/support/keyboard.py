"""The Tab key's way through a page: where it stops, and whether people see that."""

from typing import Any

from playwright.sync_api import Locator

_STOP = """(part) => {
    const stop = document.activeElement, box = stop.getBoundingClientRect(), style = getComputedStyle(stop);
    return {
        there: stop === part,
        name: stop.outerHTML.slice(0, 120),
        lost: stop === document.body,
        outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        sized: box.width > 4 && box.height > 4,
        inside: box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight,
        left: box.left, right: box.right, top: box.top + scrollY, bottom: box.bottom + scrollY,
        ordered: Boolean(stop.closest("main")),
    };
}"""
"""What has the focus, and how it looks."""


def tab_to(part: Locator, most: int = 80) -> None:
    """Press Tab until a part has the focus; each stop on the way is seen, and lies behind the one before."""
    page, before = part.page, None
    for _ in range(most):
        page.keyboard.press("Tab")
        stop: dict[str, Any] = part.evaluate(_STOP)
        assert not stop["lost"], f"nothing has the focus after {before}"
        assert stop["sized"] and stop["inside"], f"out of sight: {stop}"
        assert stop["outlined"], f"not marked: {stop}"
        assert before is None or not _goes_back(before, stop), f"{stop} after {before}"
        if stop["there"]:
            return
        before = stop if stop["ordered"] else None
    raise AssertionError(f"Tab does not come to {part}")


def _goes_back(before: dict[str, Any], stop: dict[str, Any]) -> bool:
    """Whether a stop is above the one before it, and not in a column to the right of it."""
    return bool(stop["bottom"] <= before["top"] and stop["left"] < before["right"])
