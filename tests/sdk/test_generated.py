"""The generated half of the Python client: the interface's, as it is now; and the package as a whole."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import shardwater
import shardwater_client

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sdk" / "python"
GENERATED = PACKAGE / "shardwater_client" / "generated"
GENERATOR = ROOT / ".venv" / "generator" / "bin"


def texts(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*.py"))}


def test_generated_code_is_that_of_the_interface(tmp_path: Path) -> None:
    path = f"{GENERATOR}{os.pathsep}{os.environ['PATH']}"
    found = shutil.which("openapi-python-client", path=path)
    if found is None:
        pytest.skip("openapi-python-client is not installed: make sdk installs it")
    # Its own ruff, whose version is pinned with it.
    path = f"{Path(found).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["sh", str(PACKAGE / "generator" / "generate.sh"), str(tmp_path / "generated")]
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert texts(tmp_path / "generated") == texts(GENERATED), "run: make sdk"


def test_every_generated_module_can_be_imported() -> None:
    modules = [".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in sorted(GENERATED.rglob("*.py"))]
    code = f"import importlib\nfor name in {modules}: importlib.import_module(name)"
    subprocess.run([sys.executable, "-c", code], cwd=PACKAGE, check=True)
    assert "shardwater_client.generated.api.searches.estimate_search" in modules


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0}
    return {name.partition(".")[0] for name in names}


def test_client_needs_what_it_declares_and_nothing_of_the_service() -> None:
    declared = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    needed = set().union(*(imported(path) for path in (PACKAGE / "shardwater_client").rglob("*.py")))
    assert needed - sys.stdlib_module_names - {"shardwater_client"} == {"attrs", "cryptography", "httpx", "pandas"}
    assert [name.partition(">")[0] for name in declared["dependencies"]] == ["attrs", "httpx"]


def test_clients_have_the_services_version() -> None:
    package = (ROOT / "sdk" / "typescript" / "package.json").read_text()
    assert shardwater_client.__version__ == shardwater.__version__
    assert f'"version": "{shardwater.__version__}"' in package
