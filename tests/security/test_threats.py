"""The threat model names a test for each answer: it is there."""

import ast
import re
from pathlib import Path

from app.middleware.request_limits import _ONCE

ROOT = Path(__file__).parents[2]
THREATS, REST = (ROOT / "docs/security.md").read_text().split("## What accounts share")
SHARES, READERS = REST.split("## What more than one part reads")
READERS = READERS.split("## What a request may take")[0]
ROWS = re.findall(r"^\| (.+?) \| (\w+) \| (.+?) \| `(.+?)::(\w+)` \|$", THREATS, re.M)
SHARED, TEXTS = (
    re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \| `(.+?)::(\w+)` \|$", part, re.M) for part in (SHARES, READERS)
)


def test_every_answer_has_a_test_that_exists() -> None:
    assert len(ROWS) > 25
    lost = []
    for *_, path, name in [*ROWS, *SHARED, *TEXTS]:
        tree = ast.parse((ROOT / path).read_text())
        if name not in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]:
            lost.append(f"{path}::{name}")
    assert lost == []


def test_every_row_of_the_table_is_read() -> None:
    for part, rows in ((THREATS, ROWS), (SHARES, SHARED), (READERS, TEXTS)):
        assert len([line for line in part.splitlines() if line.startswith("| ")]) == len(rows) + 1
    assert {who for _, who, *_ in ROWS} == {"stranger", "neighbour", "site", "reader", "writer"}


def test_every_header_of_which_there_is_one_is_in_the_table() -> None:
    told = {name.lower() for text, *_ in TEXTS for name in re.findall("`(.+?)`", text)}
    assert sorted(set(_ONCE) - told) == []
