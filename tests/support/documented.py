"""The examples in the documents, as they stand there."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8000"
"""The server's, in all documents."""


def examples(document: str, language: str) -> Iterator[str]:
    """The fenced blocks of a language."""
    text = (ROOT / document).read_text(encoding="utf-8")
    yield from re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def output_after(document: str, example: str) -> str:
    """The indented block that follows an example: what it prints."""
    following = (ROOT / document).read_text(encoding="utf-8").partition(example + "```\n\n")[2]
    shown = re.match(r"(?:    .*\n)+", following)
    assert shown, "the example is followed by its output"
    return re.sub("^    ", "", shown[0], flags=re.MULTILINE)
