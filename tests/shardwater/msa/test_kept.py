"""MSAs in folders: whole after a crash, or known to be damaged."""

import os
from pathlib import Path

import numpy as np
import pytest

from shardwater.msa.kept import DamagedMsa, read_kept, write_kept
from shardwater.msa.texts import Texts
from tests.support.msas import MSA, rows_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_kept(MSA, tmp_path)
    return tmp_path


def test_what_was_written_is_read(folder: Path) -> None:
    msa = read_kept(folder)
    assert (rows_of(msa), msa.provenance, msa.organisms) == (rows_of(MSA), MSA.provenance, MSA.organisms)


def test_every_file_outlasts_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, sync = dict[str, int](), os.fsync

    def syncing(handle: int) -> None:
        synced[Path(f"/proc/self/fd/{handle}").readlink().name] = os.fstat(handle).st_size
        sync(handle)

    monkeypatch.setattr(os, "fsync", syncing)
    write_kept(MSA, tmp_path)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert len(sizes) == 6
    # All of each, and then their names.
    assert {name: synced[name] for name in sizes} == sizes
    assert list(synced)[-1] == tmp_path.name


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b"\x93NUMPY\x01\x00\x06\x00{'a':(", b"\0" * 500])
@pytest.mark.parametrize(
    "name", ["figures.npy", "headers.npy", "header_offsets.npy", "letters.npy", "letter_offsets.npy", "about.json"]
)
def test_odd_bytes_are_damage(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(DamagedMsa):
        read_kept(folder)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("name", ["figures.npy", "headers.npy", "letters.npy", "letter_offsets.npy", "about.json"])
def test_files_that_end_early_are_damage(folder: Path, name: str, share: float) -> None:
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: int(share * len(content))])
    with pytest.raises(DamagedMsa):
        read_kept(folder)


@pytest.mark.parametrize("damage", ["kind", "order", "begin", "end", "rows"])
def test_texts_that_do_not_fit_are_damage(folder: Path, damage: str) -> None:
    texts: Texts = MSA.letters
    offsets = texts.offsets.copy()
    match damage:
        case "kind":
            offsets = offsets.astype(np.float64)
        case "order":
            offsets[1] = offsets[-1] + 1
        case "begin":
            offsets[0] = 1
        case "end":
            offsets[-1] += 1
        case "rows":
            offsets = offsets[1:]
    np.save(folder / "letter_offsets.npy", offsets)
    with pytest.raises(DamagedMsa):
        read_kept(folder)
