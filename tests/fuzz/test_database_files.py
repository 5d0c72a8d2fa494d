"""A version's files with anything done to them: refused with a DatabaseError, or searched with the right answer."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.database.catalog import Catalog
from shardwater.database.database import Database
from shardwater.database.manifest import DTYPES, MANIFEST
from shardwater.errors import DatabaseError
from tests.fuzz.cases import cases
from tests.fuzz.damage import KINDS, Damage, answer, read_names

DAMAGES = st.builds(Damage, st.sampled_from(KINDS), st.floats(0, 1), st.integers(1, 40), st.integers(0, 7))
VALUES = st.sampled_from(
    [None, True, -1, 0, 1, 2**63, 2**70, -(2**40), 1e308, float("nan"), "x", "", "../../etc", [], [1], {}, "0" * 64]
)


@pytest.fixture(scope="module")
def sound(small: Path) -> Path:
    """A version's folder."""
    return Catalog(small).current("demo").path


@pytest.fixture(scope="module")
def copy(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """A fresh copy of it at each call, in the same place."""
    place = tmp_path_factory.mktemp("copy") / "version"

    def make() -> Path:
        shutil.rmtree(place, ignore_errors=True)
        return shutil.copytree(sound, place)

    return make


@given(name=st.sampled_from([*DTYPES, MANIFEST]), damage=DAMAGES)
@cases(50)
def test_damaged_file_is_found_by_verify(sound: Path, copy: Callable[[], Path], name: str, damage: Damage) -> None:
    path = copy()
    damaged = damage.done_to((path / name).read_bytes())
    (path / name).write_bytes(damaged)
    if damaged == (sound / name).read_bytes():
        return
    try:
        Database.open(path).verify()
    except DatabaseError:
        return
    # A label may have changed, or a blank: none of it counts for a search.
    assert name == MANIFEST
    assert answer(path).queries == answer(sound).queries


@given(name=st.sampled_from([*DTYPES]), damage=DAMAGES)
@cases(50)
def test_damaged_arrays_lead_no_reader_astray(copy: Callable[[], Path], name: str, damage: Damage) -> None:
    path = copy()
    (path / name).write_bytes(damage.done_to((path / name).read_bytes()))
    try:
        read_names(path, step=7)
        answer(path)
    except DatabaseError:
        pass


@given(data=st.data())
@cases(80)
def test_manifest_with_any_value_is_refused_or_changes_no_answer(
    sound: Path, copy: Callable[[], Path], data: st.DataObject
) -> None:
    path = copy()
    fields = json.loads((path / MANIFEST).read_text())
    place = data.draw(st.sampled_from([fields, fields["files"], *fields["files"].values()]))
    place[data.draw(st.sampled_from(sorted(place)))] = data.draw(VALUES)
    (path / MANIFEST).write_text(json.dumps(fields))
    try:
        found = answer(path)
    except DatabaseError:
        return
    assert found.queries == answer(sound).queries
