"""A version's files with anything done to them: refused with a DatabaseError, or searched with the right answer."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.catalog import Catalog
from shardwater.cpu import CpuEngine
from shardwater.database import DTYPES, MANIFEST, Database
from shardwater.errors import DatabaseError
from shardwater.fasta import Record
from shardwater.hits import ShardResult
from shardwater.search import Parameters, find_hits
from tests.fuzz.cases import cases

QUERY = Record("q", b"MKVLAAGIVALLLAAACSSGDEHHKLMNPQRSTVWY")
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


def answer(path: Path) -> ShardResult:
    """What a search of a version finds."""
    shard, engine = Database.open(path).shard(0, 1), CpuEngine(threads=1)
    engine.load(shard)
    return find_hits(engine, shard, [QUERY], Parameters())


@st.composite
def damages(draw: st.DrawFn) -> Callable[[bytearray], bytes]:
    """Something done to a file's bytes."""
    place, size, bit = draw(st.floats(0, 1)), draw(st.integers(1, 40)), draw(st.integers(0, 7))

    def change(content: bytearray, kind: str = draw(st.sampled_from(KINDS))) -> bytes:
        at = min(int(place * len(content)), len(content) - 1)
        match kind:
            case "flip":
                content[at] ^= 1 << bit
            case "cut":
                del content[at:]
            case "extend":
                content += content[:size]
            case "empty":
                content.clear()
            case "zero":
                content[at : at + size] = bytes(len(content[at : at + size]))
            case "ones":
                content[at : at + size] = b"\xff" * len(content[at : at + size])
        return bytes(content)

    return change


KINDS = ("flip", "cut", "extend", "empty", "zero", "ones")


@given(name=st.sampled_from([*DTYPES, MANIFEST]), change=damages())
@cases(50)
def test_damaged_file_is_found_by_verify(
    sound: Path, copy: Callable[[], Path], name: str, change: Callable[[bytearray], bytes]
) -> None:
    path = copy()
    damaged = change(bytearray((path / name).read_bytes()))
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


@given(name=st.sampled_from([name for name in DTYPES if name != "residues.bin"]), change=damages())
@cases(50)
def test_damaged_numbers_lead_no_reader_astray(copy: Callable[[], Path], name: str, change: Any) -> None:
    path = copy()
    (path / name).write_bytes(change(bytearray((path / name).read_bytes())))
    try:
        database = Database.open(path)
        for subject in range(0, len(database), 7):
            assert len(database.sequence(subject)) == database.lengths[subject]
            found = database.find(database.accession(subject))
            assert found is None or database.accession(found) == database.accession(subject)
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
