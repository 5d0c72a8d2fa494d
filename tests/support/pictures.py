"""Pictures as SVG, read back: what is written on them, what is drawn, and that nothing in them does anything."""

import re
from collections.abc import Iterable
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "title", "g", "rect", "path", "text"}
"""All elements that there are."""
ATTRIBUTES = {
    *("width", "height", "viewBox", "role", "aria-label", "font-family", "font-size", "fill", "stroke", "stroke-width"),
    *("stroke-linecap", "x", "y", "d", "text-anchor", "transform", "textLength"),
    "{http://www.w3.org/XML/1998/namespace}space",
}
Box = tuple[float, float, float, float]


def picture(pieces: Iterable[str] | str) -> ElementTree.Element:
    """A picture's root; fails for anything that a picture of ours does not have."""
    root = ElementTree.fromstring("".join(pieces))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= DRAWN
    values = [(name, value) for element in root.iter() for name, value in element.attrib.items()]
    assert {name for name, _ in values} <= ATTRIBUTES
    assert not any("url(" in value or "javascript:" in value for name, value in values if name != "aria-label")
    return root


def texts(root: ElementTree.Element) -> list[str]:
    """All lines of text, in their order."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def size(root: ElementTree.Element) -> tuple[int, int]:
    """In pixels."""
    return int(root.attrib["width"]), int(root.attrib["height"])


def boxes(root: ElementTree.Element, color: str) -> list[Box]:
    """All boxes of a colour, of legends, too: left, top, width and height."""
    found = list[Box]()
    for each in root.iter():
        if each.get("fill") != color:
            continue
        if each.tag == f"{SVG}rect":
            x, y, width, height = (float(each.attrib[name]) for name in ("x", "y", "width", "height"))
            found.append((x, y, width, height))
        elif each.tag == f"{SVG}path":
            places = re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-", each.attrib["d"])
            found += [(float(x), float(y), float(width), float(height)) for x, y, width, height in places]
    return found


def within(root: ElementTree.Element) -> bool:
    """Whether all text and all boxes begin within the picture."""
    width, height = size(root)
    places = [(float(each.get("x", 0)), float(each.get("y", 0))) for each in root.iter() if "x" in each.attrib]
    return bool(places) and all(0 <= x <= width and 0 <= y <= height for x, y in places)
