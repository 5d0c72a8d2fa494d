"""Nothing is run from the folder that somebody happens to be in, however much it looks like a module."""

import ast
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from tests.support.guarded import QUERY, small_data
from tests.support.server import PATIENCE_S, Server, running

ROOT = Path(__file__).parents[2]
OURS = ("app", "worker", "gpu", "shardwater")
THEIRS = ("http", "redis", "numpy", "uvicorn", "logging", "sitecustomize")
STARTING = ("app", "worker", "shardwater", "gpu", "demo", "benchmarks", "tests/support", "tests/faults")
# The status ends a supervisor at once, where another one would make it start the process again and again.
HOSTILE = """
import os, pathlib
pathlib.Path({marker!r}).touch()
os._exit(os.EX_CONFIG)
"""


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file that is there once any of the modules in `hostile` was run."""
    return tmp_path / "was run"


@pytest.fixture
def hostile(tmp_path: Path, marker: Path) -> Path:
    """A folder with modules named as ours and as some that we need."""
    folder = tmp_path / "current"
    folder.mkdir()
    for name in (*OURS, *THEIRS):
        (folder / f"{name}.py").write_text(HOSTILE.format(marker=str(marker)))
    return folder


def installed(*arguments: object, folder: Path) -> str:
    """What the installed script prints when it is run in a folder."""
    script = Path(sysconfig.get_path("scripts")) / "shardwater"
    command = [script, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_service_runs_no_module_of_the_current_folder(tmp_path: Path, hostile: Path, marker: Path) -> None:
    """It starts every process of a service, which takes some seconds."""
    data = small_data(tmp_path)
    with chdir(hostile), running(Server(data, is_forked=False)) as server:
        result = server.search(QUERY)
        assert result["results"][0]["hits"]
    assert not marker.exists()


def test_commands_run_no_module_of_the_current_folder(hostile: Path, marker: Path) -> None:
    (hostile / "q.fasta").write_text(QUERY)
    installed("makedb", "q.fasta", "--name", "small", "--out", "data", folder=hostile)
    assert installed("search", "-query", "q.fasta", "-db", "small", folder=hostile)
    assert not marker.exists()


def unsafe(source: str) -> Iterator[int]:
    """The lines where Python is started without -P, as an item of a list or a tuple."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.List | ast.Tuple):
            words = [ast.unparse(each) for each in node.elts]
            for word, following in zip(words, [*words[1:], ""], strict=False):
                if word == "sys.executable" and following != "'-P'":
                    yield node.lineno


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("run([sys.executable, '-P', '-m', 'app'])", []),
        ("run([sys.executable, '-m', 'app'])", [1]),
        ("\nrun([sys.executable, *argv])", [2]),
        ("command = (sys.executable,)", [1]),
    ],
)
def test_unsafe_start_is_seen_however_it_is_written(source: str, lines: list[int]) -> None:
    assert list(unsafe(source)) == lines


def test_every_process_is_started_without_the_current_folder() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for folder in STARTING
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in unsafe(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_every_documented_start_is_without_the_current_folder() -> None:
    texts = [ROOT / "README.md", ROOT / "Makefile", ROOT / "docker-compose.yml"]
    texts += [path for folder in ("docker", "docs", "deploy") for path in (ROOT / folder).rglob("*") if path.is_file()]
    # As a command, a list in JSON, or a list in YAML.
    start = re.compile(rb"python3?[\s,\"'-]+m[\s,\"'-]+(?:app|worker|shardwater)\b")
    assert [path.name for path in texts if start.search(path.read_bytes())] == []
    assert start.search(b"command:\n  - python\n  - -m\n  - app\n")


def test_this_interpreter_leaves_the_current_folder_out_with_p(hostile: Path, marker: Path) -> None:
    """What all of this rests on."""
    done = subprocess.run([sys.executable, "-P", "-c", "import app, http"], cwd=hostile, check=False)
    assert (done.returncode, marker.exists()) == (0, False)
