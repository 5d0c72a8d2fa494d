"""The wheel, installed into an environment of its own, has all that it needs, and runs from any folder."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from shardwater import __version__
from tests.support.demo import DEMO
from tests.support.server import PATIENCE_S

ROOT = Path(__file__).parents[2]
PARTS = ("pyproject.toml", "README.md", "LICENSE", "app", "gpu", "shardwater", "worker")


def run(*command: object, folder: Path) -> str:
    """What a command prints that must succeed."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment with the wheel and, from this one, what it needs."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    source, made = folder / "source", folder / "environment"
    # Elsewhere, so that nothing is built into the checkout.
    source.mkdir()
    run("cp", "-r", *(ROOT / part for part in PARTS), source, folder=folder)
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source, folder=folder)
    [wheel] = folder.glob("*.whl")
    assert wheel.name.startswith(f"shardwater-{__version__}-")
    venv.create(made, symlinks=True)
    commands = made / "bin"
    run(*pip, "--python", commands / "python", "install", "--no-deps", wheel, folder=folder)
    [packages] = made.glob("lib/python*/site-packages")
    # A path alone: the editable install that makes this environment know the checkout is not followed from here.
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib"))
    return commands


def test_installed_wheel_searches_from_any_folder(installed: Path, tmp_path: Path) -> None:
    """A wheel is built and installed first, which takes some seconds."""
    shardwater = installed / "shardwater"
    assert run(shardwater, "--version", folder=tmp_path) == f"shardwater {__version__}\n"
    modules = "import app.main, gpu, shardwater, worker.cli.main as m; print(app.__file__, m.__file__)"
    for place in run(installed / "python", "-P", "-c", modules, folder=tmp_path).split():
        assert Path(place).is_relative_to(installed.parent)
    run(shardwater, "makedb", DEMO / "queries.fasta", "--name", "small", "--out", "data", folder=tmp_path)
    found = run(shardwater, "search", "-query", DEMO / "queries.fasta", "-db", "small", "-outfmt", "6", folder=tmp_path)
    rows = [line.split("\t") for line in found.splitlines()]
    assert {row[0] for row in rows if row[0] == row[1]} == {row[0] for row in rows}
    assert len({row[0] for row in rows}) == 4
