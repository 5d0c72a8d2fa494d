"""Imports go one way: app -> six rooms of worker -> shardwater, worker -> gpu -> shardwater."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"shardwater", "gpu", "worker", "app"}
# A machine with a GPU may have numpy alone; what else the CPU engine needs stays in its own module.
FIELD_LIBRARIES = {"numpy"}
CPU_LIBRARIES = {"pyopal", "scoring_matrices"}
PARQUET_LIBRARIES = {"pyarrow"}
BESIDES = {
    "shardwater/engines/cpu.py": CPU_LIBRARIES,
    "shardwater/alignment/spelling.py": {"parasail"},
    "shardwater/alignment/striped.py": {"parasail"},
    "shardwater/alignment/trace.py": {"parasail"},
    "shardwater/formats/parquet.py": PARQUET_LIBRARIES,
    "shardwater/formats/genomes/dotplot_png.py": {"PIL"},
}
# The rooms of the worker that the front end may enter: nothing in them touches an engine.
OPEN_TO_APP = {"jobs", "kinds", "uploads", "access", "settings", "telemetry"}


def imports(source):
    """The dotted name of every import in a source text, wherever it stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            # `from worker import tasks` is worker.tasks.
            yield from (f"{module}.{alias.name}" if module in OURS else module for alias in node.names)


def may_import(package, name):
    """Whether a module of a package may import this name."""
    top, _, rest = name.partition(".")
    match package:
        case "shardwater":
            return top in {"shardwater"} | FIELD_LIBRARIES | sys.stdlib_module_names
        case "gpu":
            return top in {"gpu", "shardwater", "numpy", "cupy", "cupyx"} | sys.stdlib_module_names
        case "worker":
            return top not in {"", "app", "fastapi", "starlette", "uvicorn", "cupy", "pyopal"}
        case "app":
            if top == "worker":
                return rest.split(".")[0] in OPEN_TO_APP
            return top not in {"", "gpu", "cupy", "pyopal"}


def wrong_arrows(package, source, besides=frozenset()):
    names = (name for name in imports(source) if name.partition(".")[0] not in besides)
    return [name for name in names if not may_import(package, name)]


def sources(package):
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", sorted(OURS))
def test_imports_go_one_way(package):
    places = [str(path.relative_to(ROOT)) for path in sources(package)]
    arrows = {
        place: wrong_arrows(package, (ROOT / place).read_text(), BESIDES.get(place, frozenset())) for place in places
    }
    assert places
    assert {place: wrong for place, wrong in arrows.items() if wrong} == {}


@pytest.mark.parametrize(
    ("package", "source", "wrong"),
    [
        ("shardwater", "import json, numpy as np, worker", ["worker"]),
        ("shardwater", "def f():\n    from gpu import open_engine", ["gpu.open_engine"]),
        ("shardwater", "from redis.client import Redis", ["redis.client"]),
        ("shardwater", "from . import cpu", ["."]),
        ("gpu", "import cupy\nfrom shardwater.engines.cpu import CpuEngine\nimport pyopal.lib", ["pyopal.lib"]),
        ("gpu", "from worker import tasks", ["worker.tasks"]),
        ("worker", "from gpu import open_engine\nimport rq, app.main", ["app.main"]),
        ("worker", "import fastapi.responses", ["fastapi.responses"]),
        ("app", "from worker.jobs.store import JobStore\nfrom worker import settings, tasks", ["worker.tasks"]),
        ("app", "import worker", ["worker"]),
        ("app", "if True:\n    import gpu", ["gpu"]),
    ],
)
def test_wrong_arrows_are_seen(package, source, wrong):
    assert wrong_arrows(package, source) == wrong


def run(code):
    # Without what the packages that are loaded here have set.
    clean = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=clean, capture_output=True, text=True, check=False
    )


def test_front_end_loads_no_engine():
    engines = "{'pyopal', 'parasail', 'gpu', 'cupy', 'shardwater.engines.cpu', 'pyarrow'}"
    code = f"import sys, app.main; print(sorted({engines} & set(sys.modules)))"
    done = run(code)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_commands_that_work_here_load_no_queue_and_no_http():
    commands = "run_align, run_search, run_verify, format, search, sequence, subjects"
    code = f"import sys\nfrom worker.cli import {commands}\n"
    done = run(code + "print(sorted({'redis', 'rq', 'httpx', 'asyncio', 'ssl'} & set(sys.modules)))")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_align_loads_nothing_of_searches():
    done = run("import sys, worker.cli.run_align; print([name for name in sys.modules if 'shardwater.search' in name])")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_command_line_loads_nothing_before_a_command_is_chosen():
    done = run("import sys, worker.cli.main; print(sorted({'numpy', 'pydantic', 'redis', 'httpx'} & set(sys.modules)))")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_supervisor_loads_nothing_that_works():
    working = "{'worker.runner', 'worker.kinds', 'shardwater.search.search', 'app', 'fastapi'}"
    done = run(f"import sys, worker.supervision.service_plan; print(sorted({working} & set(sys.modules)))")
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_checking_of_sequences_loads_no_alignment():
    code = "import sys, shardwater.sequences.checking; print([name for name in sys.modules if 'shardwater' in name])"
    loaded = {name.split(".")[1] for name in ast.literal_eval(run(code).stdout) if "." in name}
    assert "sequences" in loaded
    assert not loaded & {"alignment", "engines", "pairs", "scoring", "search"}


@pytest.mark.parametrize("package", ["app", "worker"])
def test_packages_of_the_service_have_numpy_multiply_in_one_thread(package):
    done = run(f"import os, {package}; print(os.environ['OPENBLAS_NUM_THREADS'])")
    assert (done.stdout, done.stderr) == ("1\n", "")


BLOCKED = """
import importlib, pkgutil, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"fastapi", "starlette", "redis", "rq", "pydantic", "pydantic_core", "uvicorn"}:
            raise ModuleNotFoundError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
"""


def test_library_and_engines_work_without_the_service():
    done = run(
        BLOCKED + "import gpu, shardwater\n"
        "for module in pkgutil.walk_packages(shardwater.__path__, 'shardwater.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(type(gpu.open_engine(1)).__name__)\n"
    )
    assert done.stderr == ""
    assert done.stdout.endswith("Engine\n")


@pytest.mark.parametrize("name", ["fastapi", "redis", "rq", "pydantic"])
def test_blocking_blocks(name):
    assert f"{name} is blocked" in run(BLOCKED + f"import {name}").stderr
