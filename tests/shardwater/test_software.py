import sys
from importlib import metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from shardwater import software as module
from shardwater.software import Software, software

COMMIT = "0123456789abcdef0123456789abcdef01234567"
OTHER = "f" * 40


@pytest.fixture(autouse=True)
def asked_anew(monkeypatch):
    monkeypatch.delenv("SHARDWATER_COMMIT", raising=False)
    software.cache_clear()
    yield
    software.cache_clear()


@pytest.fixture
def git(tmp_path, monkeypatch):
    """A git folder of our own, empty."""
    folder = tmp_path / ".git"
    folder.mkdir()
    monkeypatch.setattr(module, "GIT", folder)
    return folder


def write(folder: Path, files: dict[str, str]):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_version_is_the_projects(git):
    assert software() == Software(metadata.version("shardwater"), "unknown")


def test_wheel_has_a_version_and_no_commit(git):
    assert str(software()) == metadata.version("shardwater")


def test_checkout_has_both(git):
    write(git, {"HEAD": f"{COMMIT}\n"})
    assert str(software()) == f"{metadata.version('shardwater')} ({COMMIT[:12]})"


def test_image_names_its_commit(git, monkeypatch):
    write(git, {"HEAD": f"{OTHER}\n"})
    monkeypatch.setenv("SHARDWATER_COMMIT", COMMIT)
    assert software().commit == COMMIT


def test_empty_setting_names_no_commit(git, monkeypatch):
    write(git, {"HEAD": f"{OTHER}\n"})
    monkeypatch.setenv("SHARDWATER_COMMIT", "")
    assert software().commit == OTHER


@pytest.mark.parametrize(
    "files",
    [
        {"HEAD": f"{COMMIT}\n"},
        {"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{COMMIT}\n"},
        {
            "HEAD": "ref: refs/heads/main\n",
            "refs/heads/main": f"{COMMIT}\n",
            "packed-refs": f"{OTHER} refs/heads/main\n",
        },
        {
            "HEAD": "ref: refs/heads/main\n",
            "packed-refs": f"# pack-refs\n{OTHER} refs/old/refs/heads/main\n{COMMIT} refs/heads/main\n^{OTHER}\n",
        },
    ],
    ids=["detached", "branch", "branch moved since it was packed", "packed branch"],
)
def test_commit_of_a_checkout(git, files):
    write(git, files)
    assert software().commit == COMMIT


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"HEAD": "ref: refs/heads/main\n"},
        {"HEAD": "ref: refs/heads/main\n", "packed-refs": f"{OTHER} refs/heads/other\n"},
    ],
    ids=["no repository", "no commit yet", "branch that is nowhere"],
)
def test_commit_that_nobody_knows(git, files):
    write(git, files)
    assert software().commit == "unknown"


def test_commit_is_the_one_that_the_code_was_loaded_from(tmp_path):
    checkout = tmp_path / "shardwater" / "software.py"
    write(tmp_path, {".git/HEAD": f"{COMMIT}\n", "shardwater/software.py": Path(module.__file__).read_text()})
    spec = spec_from_file_location("software_of_a_checkout", checkout)
    loaded = module_from_spec(spec)
    sys.modules[spec.name] = loaded
    try:
        spec.loader.exec_module(loaded)
    finally:
        del sys.modules[spec.name]
    write(tmp_path, {".git/HEAD": f"{OTHER}\n"})
    assert loaded.software().commit == COMMIT
