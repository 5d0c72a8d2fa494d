"""Every example for programs in the documents does on a real server what it says; the wheel has all that it needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.documented import ADDRESS, ROOT, examples, output_after
from tests.support.server import PATIENCE_S, Server

CLIENT, MSAS = "sdk/python/README.md", "docs/msas.md"
PYTHON = [(document, example) for document in ("README.md", CLIENT, MSAS) for example in examples(document, "python")]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the demo's files, where examples may write."""
    (tmp_path / "demo").symlink_to(ROOT / "demo")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("document", "example"), PYTHON)
def test_python_example_runs(
    server: Server, checkout: Path, capsys: pytest.CaptureFixture[str], document: str, example: str
) -> None:
    exec(compile(example.replace(ADDRESS, server.url), document, "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.strip()


def test_examples_are_found() -> None:
    assert len([document for document, _ in PYTHON if document == CLIENT]) == 13
    assert len([document for document, _ in PYTHON if document == "README.md"]) == 2
    assert len([document for document, _ in PYTHON if document == MSAS]) == 1


@pytest.mark.parametrize("document", ["README.md", MSAS])
def test_first_example_prints_what_stands_there(
    server: Server, checkout: Path, capsys: pytest.CaptureFixture[str], document: str
) -> None:
    example = next(examples(document, "python"))
    exec(compile(example.replace(ADDRESS, server.url), document, "exec"), {})
    assert capsys.readouterr().out == output_after(document, example)


def test_shell_example_prints_the_hits(server: Server, checkout: Path) -> None:
    [example] = examples("README.md", "sh")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", example.replace(ADDRESS, server.url).replace("sleep 1", "sleep 0.1")],
        capture_output=True, text=True, timeout=PATIENCE_S, check=True,
    )  # fmt: skip
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0][:2] == ["sp|B4RQP4|OBG_NEIG2"] * 2
    assert {len(row) for row in rows} == {12}


def test_wheel_alone_runs_the_example(server: Server, checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    source = tmp_path_factory.mktemp("source") / "python"
    # Elsewhere, so that nothing is built into the checkout.
    subprocess.run(["cp", "-r", str(ROOT / "sdk" / "python"), str(source)], check=True)
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    [wheel] = wheels.iterdir()
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(wheel)], check=True, capture_output=True)
    assert (site / "shardwater_client" / "py.typed").exists()
    example = next(examples(CLIENT, "python")).replace(ADDRESS, server.url)
    where = "import shardwater_client\nprint(shardwater_client.__file__)\n"
    done = subprocess.run(
        [sys.executable, "-c", example + where],
        env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, text=True, timeout=PATIENCE_S, check=True,
    )  # fmt: skip
    assert done.stdout == output_after("README.md", next(examples("README.md", "python"))) + (
        f"{site / 'shardwater_client' / '__init__.py'}\n"
    )
