"""Every command that a document shows with its output: typed in, it says what stands there, but for ids and times."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.documented import ADDRESS, ROOT
from tests.support.server import PATIENCE_S, Server, until

DOCUMENTS = ("README.md", "docs/dialects.md")
SEARCH = re.compile(r"\b[A-Za-z][\w-]{33}(?![\w-])", re.ASCII)
"""An id, which may end with a hyphen."""


@dataclass(frozen=True)
class Command:
    """A command and the text that stands below it."""

    typed: str
    shown: str


def commands(document: str) -> Iterator[Command]:
    """Those of a document's indented blocks that stand behind a `$`."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE):
        lines = re.sub("^    ", "", block, flags=re.MULTILINE).replace("\\\n", " ")
        for typed, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", lines, re.MULTILINE):
            yield Command(typed, shown)


LOOSE = {
    "...": ".*",
    "<ID>": r"[\w-]{34}",
    "queued": "(?:queued|running)",
    "retry-after: 1": r"retry-after:\s*\d+",
}
"""What may be printed otherwise than it is documented, as patterns; blanks may be any blanks, or none."""


def pattern(shown: str) -> str:
    """What matches all that a command prints: a document that cuts it ends it with three dots."""
    parts = re.split(rf"({'|'.join(map(re.escape, LOOSE))}|\s+)", SEARCH.sub("<ID>", shown))
    return "".join(LOOSE.get(part) or (r"\s*" if part.isspace() else re.escape(part)) for part in parts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where commands are typed in: beside the demo's files."""
    path = tmp_path_factory.mktemp("documented")
    (path / "demo").symlink_to(ROOT / "demo")
    (path / "query.fasta").write_text(">q\nMKISANSIRTGNILVYNNDLWVVSK\n")
    return path


def typed_in(command: Command, server: Server, folder: Path, known: dict[str, str]) -> str:
    """What a command prints; ids of earlier ones are known, and their searches have ended."""
    typed = command.typed.replace(ADDRESS, server.url).replace("shardwater ", f"{sys.executable} -P -m worker.cli ", 1)
    for documented, real in known.items():
        if documented in typed:
            until(lambda search=real: server.state(search)["state"] == "succeeded")
            typed = typed.replace(documented, real)
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    shell = ["bash", "-c", typed]
    done = subprocess.run(
        shell, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    return done.stdout


@pytest.mark.parametrize(("document", "number"), [("README.md", 9), ("docs/dialects.md", 1)])
def test_commands_say_what_stands_there(server: Server, folder: Path, document: str, number: int) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    known: dict[str, str] = {}
    found = list(commands(document))
    assert len(found) == number
    for command in found:
        if command.typed.startswith("shardwater serve"):
            assert command.shown.splitlines() == [
                f"Loading demo at {ADDRESS} ...",
                f"Ready: {ADDRESS} (Ctrl-C stops it)",
            ]
            continue
        printed = typed_in(command, server, folder, known)
        assert re.fullmatch(pattern(command.shown), printed, re.DOTALL), f"{command.typed}\n{printed}"
        known.update(zip(SEARCH.findall(command.shown), SEARCH.findall(printed), strict=False))


def test_ids_in_documents_are_as_long_as_real_ones() -> None:
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        for found in re.findall(r"(?:searches/|\"id\":\"|\"search\":\")([\w-]{8,})", text):
            assert SEARCH.fullmatch(found), f"{document}: {found}"
