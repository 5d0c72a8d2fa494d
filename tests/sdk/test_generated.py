"""The generated half of the Python client: the interface's, as it is now; and the package as a whole."""

import ast
import os
import re
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


@pytest.fixture
def path() -> str:
    """The PATH with openapi-python-client, and its own ruff, whose version is pinned with it."""
    found = shutil.which("openapi-python-client", path=f"{GENERATOR}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        pytest.skip("openapi-python-client is not installed: make sdk installs it")
    return f"{Path(found).parent}{os.pathsep}{os.environ['PATH']}"


def run(path: str, *command: object, cwd: Path | None = None) -> None:
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        list(map(str, command)), env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_client_of_another_name_is_generated_as_the_manual_says(path: str, tmp_path: Path) -> None:
    [settings] = re.findall(r"```yaml\n(project_name.*?)```", (ROOT / "docs" / "sdk.md").read_text(), re.DOTALL)
    (tmp_path / "config.yml").write_text(f"{settings}post_hooks: []\n")
    description = ROOT / "openapi" / "openapi.json"
    run(path, "openapi-python-client", "generate", "--path", description, "--config", "config.yml", cwd=tmp_path)
    assert (tmp_path / "my-shardwater" / "my_shardwater" / "client.py").is_file()


def test_generated_code_is_that_of_the_interface(path: str, tmp_path: Path) -> None:
    run(path, "sh", PACKAGE / "generator" / "generate.sh", tmp_path / "generated")
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
