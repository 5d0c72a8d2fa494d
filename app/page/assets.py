"""The page's files, built into the package: read once, compressed once, and cached by browsers for good."""

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import Literal

Script = Literal["page", "compare", "msa", "align"]
"""What draws a page, with styles of the same name: searches, comparisons of genomes, MSAs, or pairs."""
MEDIA_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
SHARED = "shared-"
"""What the names of files begin with that scripts share; they end with a digest of what is inside."""
_IMPORT = re.compile(rb'(?:from|import)"\./(shared-\w+\.js)"')


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
    found = {}
    for file in (files("app") / "web").iterdir():
        media_type = MEDIA_TYPES.get(PurePath(file.name).suffix)
        if media_type is not None:
            found[file.name] = _made(file.read_bytes(), media_type)
    return found


def _made(content: bytes, media_type: str) -> Asset:
    version = hashlib.sha256(content).hexdigest()[:16]
    return Asset(content, gzip.compress(content, 9, mtime=0), media_type, version)


@cache
def needed(script: Script) -> list[str]:
    """The files that a script shares with others, and those that these need: with it a page has all its code."""
    found: dict[str, None] = {}
    left = [f"{script}.js"]
    while left:
        names = [name.decode() for name in _IMPORT.findall(assets()[left.pop()].content)]
        left += [name for name in names if name not in found]
        found |= dict.fromkeys(names)
    return sorted(found)


@cache
def template() -> str:
    """The page's HTML with its placeholders."""
    return (files("app") / "web" / "index.html").read_text(encoding="utf-8")
