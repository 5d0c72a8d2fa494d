"""The page's files, built into the package: read once, compressed once, and cached by browsers for good."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Script = Literal["page", "compare", "msa", "align"]
"""What draws a page, with styles of the same name: searches, comparisons of genomes, MSAs, or pairs."""
MEDIA_TYPES = {
    "page.js": "text/javascript; charset=utf-8",
    "page.css": "text/css; charset=utf-8",
    "compare.js": "text/javascript; charset=utf-8",
    "compare.css": "text/css; charset=utf-8",
    "msa.js": "text/javascript; charset=utf-8",
    "msa.css": "text/css; charset=utf-8",
    "align.js": "text/javascript; charset=utf-8",
    "align.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "LICENSES.txt": "text/plain; charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page; `version` changes with its content."""

    content: bytes
    compressed: bytes
    media_type: str
    version: str


@cache
def assets() -> dict[str, Asset]:
    """Every file by its name."""
    return {name: _read(name, media_type) for name, media_type in MEDIA_TYPES.items()}


def _read(name: str, media_type: str) -> Asset:
    content = (files("app") / "web" / name).read_bytes()
    version = hashlib.sha256(content).hexdigest()[:16]
    return Asset(content, gzip.compress(content, 9, mtime=0), media_type, version)


@cache
def template() -> str:
    """The page's HTML with its placeholders."""
    return (files("app") / "web" / "index.html").read_text(encoding="utf-8")
