"""The page's built files belong to its sources, and nothing in them or their lock file names a registry's host."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from app.page.assets import Script, assets, needed

ROOT = Path(__file__).parents[2]
SOURCES, BUILT = ROOT / "page", ROOT / "app" / "web"
MOST_PACKED: dict[Script, int] = {"page": 65_000, "compare": 53_000, "msa": 55_000, "align": 45_000}
"""Bytes of the code of each page, as it is sent."""
MOST_TOGETHER = 114_000
STYLES = ("page.css", "compare.css", "msa.css", "align.css")
SCRIPTS = sorted(name for name in assets() if name.endswith(".js"))
MADE = (*SCRIPTS, *STYLES, "LICENSES.txt")


def digest_of_sources() -> str:
    """The sum that build.mjs writes into what it builds."""
    sources = [path for path in (SOURCES / "src").rglob("*") if path.is_file() and path.name != "schema.d.ts"]
    total = hashlib.sha256()
    for path in sorted([*sources, SOURCES / "package-lock.json", SOURCES / "build.mjs"], key=str):
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


@pytest.mark.parametrize("name", [*SCRIPTS, *STYLES])
def test_built_files_are_of_these_sources(name: str) -> None:
    assert f"from sources {digest_of_sources()};" in (BUILT / name).read_text().partition("\n")[0], "run: make page"


@pytest.mark.parametrize(("script", "most"), MOST_PACKED.items())
def test_the_code_of_a_page_is_small(script: Script, most: int) -> None:
    assert sum(len(assets()[name].compressed) for name in (f"{script}.js", *needed(script))) <= most


def test_the_code_of_all_pages_is_small() -> None:
    assert sum(len(assets()[name].compressed) for name in SCRIPTS) <= MOST_TOGETHER
    assert {name for script in MOST_PACKED for name in (f"{script}.js", *needed(script))} == set(SCRIPTS)


def test_building_again_gives_the_same_files(tmp_path: Path) -> None:
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("no Node")
    if not (SOURCES / "node_modules").is_dir():
        copy = tmp_path / "page"
        shutil.copytree(SOURCES, copy)
        installed = subprocess.run(["npm", "ci", "--ignore-scripts"], cwd=copy, capture_output=True, check=False)
        if installed.returncode != 0:
            pytest.skip("npm cannot install what the page is built with")
        folder = copy
    else:
        folder = SOURCES
    made = tmp_path / "made"
    made.mkdir()
    subprocess.run(["node", "build.mjs", str(made)], cwd=folder, check=True, capture_output=True)
    assert {name: (made / name).read_bytes() == (BUILT / name).read_bytes() for name in MADE} == dict.fromkeys(
        MADE, True
    )


def test_lock_file_names_no_host_to_download_from() -> None:
    lock = json.loads((SOURCES / "package-lock.json").read_text())
    assert len(lock["packages"]) > 4
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    assert [name for name, package in lock["packages"].items() if name and "integrity" not in package] == []


def test_every_bundled_library_has_its_licence() -> None:
    packages = json.loads((SOURCES / "package.json").read_text())["dependencies"]
    licences = (BUILT / "LICENSES.txt").read_text()
    assert {name for name in packages if not re.search(rf"^{re.escape(name)} \d", licences, re.MULTILINE)} == set()
    assert licences.count("Permission is hereby granted") == len(packages)
