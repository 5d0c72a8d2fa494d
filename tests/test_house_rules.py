"""Rules that the architecture sets and no linter knows."""

import ast
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from shardwater import __version__
from worker.settings import Settings

ROOT = Path(__file__).parents[1]
SUFFIXES = {".py", ".cu", ".cuh", ".js", ".mjs", ".ts", ".tsx", ".css", ".html", ".sh"}
IGNORED = {"build", "dist", "data", "__pycache__", "node_modules", "screenshots"}
GENERATED = {
    ROOT / folder for folder in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["extend-exclude"]
}
LONGEST = 800


def sources(folder=ROOT):
    """Every source file of the checkout; what is hidden, ignored by git or generated is left out."""
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in IGNORED or path in GENERATED:
            continue
        if path.is_dir():
            yield from sources(path)
        elif path.suffix in SUFFIXES:
            yield path


def lines_of_calls(source, name):
    """The lines where a function of this name is called, as name() or as anything.name()."""
    # Most need not be parsed.
    for node in ast.walk(ast.parse(source if name in source else "")):
        if isinstance(node, ast.Call):
            function = node.func
            if name in (getattr(function, "id", None), getattr(function, "attr", None)):
                yield node.lineno


def shown(paths):
    return [str(path.relative_to(ROOT)) for path in paths]


def test_the_sources_are_found():
    found = shown(sources())
    assert {"shardwater/engines/cpu.py", "app/routes/results.py", "tests/test_house_rules.py"} <= set(found)
    assert {"sdk/python/shardwater_client/calls.py", "sdk/typescript/src/index.ts"} <= set(found)
    assert [name for name in found if "site-packages" in name] == []


def test_no_source_file_is_longer_than_800_lines():
    assert shown(path for path in sources() if len(path.read_text().splitlines()) > LONGEST) == []


def test_nothing_is_called_utils():
    assert shown(path for path in sources() if path.stem in {"utils", "util", "helpers"}) == []


@pytest.mark.parametrize("setting", [field.name for field in fields(Settings)])
def test_every_setting_is_in_the_operations_manual(setting):
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert re.search(rf"\bSHARDWATER_{setting.upper()}\b", manual)


def test_numbers_in_the_operations_manual_are_the_defaults():
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    told = {
        name.lower(): int(number) for name, number in re.findall(r"^\| `SHARDWATER_(\w+)` \| (\d+) \|", manual, re.M)
    }
    defaults = {field.name: field.default for field in fields(Settings)}
    assert len(told) > 20
    assert told == {name: defaults[name] for name in told}


def test_all_routes_begin_with_the_router_that_refuses_unknown_parameters():
    given = {path for path in (ROOT / "app").rglob("*.py") if "APIRouter(" in path.read_text()}
    assert given == {ROOT / "app" / "routers.py"}


def test_tests_do_not_sleep():
    calls = {
        str(path.relative_to(ROOT)): list(lines_of_calls(path.read_text(), "sleep"))
        for path in (ROOT / "tests").rglob("*.py")
    }
    assert {path: lines for path, lines in calls.items() if lines} == {}


def test_sleep_is_seen_however_it_is_called():
    source = (
        "import time\ntime.sleep(1)\nsleep(2)\nasync def f():\n    await asyncio.sleep(3)\nsleeper(4)\n'sleep(5)'\n"
    )
    assert list(lines_of_calls(source, "sleep")) == [2, 3, 5]


def busy_loops(source):
    """The lines of loops that do nothing but ask again; one that awaits leaves the processor to others."""
    for node in ast.walk(ast.parse(source if "while" in source else "")):
        empty = isinstance(node, ast.While) and all(isinstance(each, ast.Pass) for each in node.body)
        if empty and not any(isinstance(each, ast.Await) for each in ast.walk(node.test)):
            yield node.lineno


def test_tests_wait_without_busy_loops():
    loops = {str(path.relative_to(ROOT)): list(busy_loops(path.read_text())) for path in (ROOT / "tests").rglob("*.py")}
    assert {path: lines for path, lines in loops.items() if lines} == {}


def test_busy_loops_are_seen():
    source = "while ask():\n    pass\nwhile True:\n    ask()\nasync def f():\n    while await ask():\n        pass\n"
    assert list(busy_loops(source)) == [1]


def imported_tests(source):
    """The test files and conftest files that a source text imports, or from which it imports, wherever it does."""
    names = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # `from tests.fuzz import test_words` is tests.fuzz.test_words.
            names += [f"{node.module}.{alias.name}" if node.module else alias.name for alias in node.names]
    found = (re.match(r"(?:\w+\.)*?(?:test_\w+|conftest)(?=\.|$)", name) for name in names)
    return {match[0] for match in found if match}


def test_what_several_tests_need_stands_in_support():
    paths = [path for folder in ("tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    imports = {str(path.relative_to(ROOT)): imported_tests(path.read_text()) for path in paths}
    assert {path: modules for path, modules in imports.items() if modules} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from tests.app.test_api import QUERY, post", {"tests.app.test_api"}),
        ("from tests.app import test_api", {"tests.app.test_api"}),
        ("def f():\n    import tests.conftest as shared", {"tests.conftest"}),
        ("from .conftest import Build", {"conftest"}),
        ("from . import conftest", {"conftest"}),
        ("from tests.support.answers import best_of\nimport pytest", set()),
    ],
)
def test_import_of_a_test_is_seen_however_it_is_written(source, found):
    assert imported_tests(source) == found


def test_architecture_page_names_all_rooms_and_what_is_there():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = [ROOT / package for package in ("shardwater", "gpu", "worker", "app")]
    rooms = shown(path.parent for package in packages for path in package.glob("*/__init__.py"))
    assert [room for room in rooms if f"| `{room}/`" not in page] == []
    named = re.findall(r"`((?:shardwater|gpu|worker|app)/[\w/.]+)`(?:: `([\w.]+)`)?", page)
    assert [path for path, _ in named if not (ROOT / path).exists()] == []
    functions = [(path, name.rpartition(".")[2]) for path, name in named if name]
    assert len(functions) > 10
    defining = r"(?m)^ *(?:async def|def|class) {0}\b|^{0}\b.* = "
    assert [each for each in functions if not re.search(defining.format(each[1]), (ROOT / each[0]).read_text())] == []


def test_changelog_is_at_the_projects_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[?v?(\d+\.\d+\.\d+)\b", changelog, re.MULTILINE)
    assert versions[0] == __version__


OWN_CLOCK = {("time", "time"), ("time", "time_ns"), ("datetime", "now"), ("datetime", "utcnow"), ("date", "today")}
# It compares the clocks; the machine's dates files.
MAY_ASK_THE_MACHINE = {"worker/diagnostics/redis_server.py", "worker/jobs/clock.py"}


def asks_for_the_time(source):
    """Whether a source text asks the machine's own clock for the time of day."""
    return any(
        isinstance(node, ast.Attribute) and (getattr(node.value, "id", None), node.attr) in OWN_CLOCK
        for node in ast.walk(ast.parse(source if re.search(r"\b(time|date)", source) else ""))
    )


def test_times_that_machines_compare_come_from_the_queue():
    assert asks_for_the_time("import time\nnow = time.time()")
    assert not asks_for_the_time("now = server_time(redis)")
    parts = [ROOT / "app", ROOT / "worker"]
    found = {path for part in parts for path in part.rglob("*.py") if asks_for_the_time(path.read_text())}
    assert set(shown(found)) == MAY_ASK_THE_MACHINE
