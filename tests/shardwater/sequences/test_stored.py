"""Sequences in a folder: the same as were stored, by their numbers, and nothing else."""

import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.errors import FastaFormatError
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.named import Letters
from shardwater.sequences.stored import DamagedSequences, StoredSequences, store_text

records = st.lists(st.builds(Letters, st.text(max_size=5), st.binary(max_size=20)), max_size=20)
FASTA = b">a first\nACGT\nacgt\n>\nNN\n>c\n"


@given(records)
def test_each_is_found_by_its_number(expected: list[Letters]) -> None:
    with TemporaryDirectory() as folder:
        stored = StoredSequences.write(Path(folder) / "s", expected)
        again = StoredSequences.open(Path(folder) / "s")
        assert list(stored) == list(again) == again[:] == expected
        assert again.lengths.tolist() == [len(record.letters) for record in expected]
        assert (stored.digest, len(again)) == (again.digest, len(expected))
        for number in range(-len(expected), len(expected)):
            assert again[number] == expected[number]
        with pytest.raises(IndexError):
            again[len(expected)]


@given(records, records)
def test_digest_is_that_of_names_lengths_and_letters(one: list[Letters], two: list[Letters]) -> None:
    with TemporaryDirectory() as folder:
        digests = [
            StoredSequences.write(Path(folder) / str(number), each).digest for number, each in enumerate((one, two))
        ]
        assert (digests[0] == digests[1]) == (one == two)


def test_more_than_are_written_at_once_are_all_there(tmp_path: Path) -> None:
    expected = [Letters(str(number), b"A" * (number % 7)) for number in range(10_000)]
    assert list(StoredSequences.write(tmp_path / "s", expected)) == expected


def test_text_is_stored_as_it_is_read(tmp_path: Path) -> None:
    stored = store_text(tmp_path / "s", io.BufferedReader(io.BytesIO(FASTA)), "queries", DNA, "query")
    assert list(stored) == [Letters("a", b"ACGTacgt"), Letters("query_2", b"NN"), Letters("c", b"")]


def test_wrong_letter_has_its_place(tmp_path: Path) -> None:
    with pytest.raises(FastaFormatError, match=r"queries: record 1, line 3, column 2: 'E' is no letter of DNA"):
        store_text(tmp_path / "s", io.BufferedReader(io.BytesIO(b">a\nACGT\nAE\n")), "queries", DNA, "query")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize("damage", [Path.unlink, _cut], ids=["removed", "cut"])
@pytest.mark.parametrize("name", ["letters", "names", "offsets", "name_offsets", "known.json"])
def test_damage_is_seen(tmp_path: Path, name: str, damage: Callable[[Path], None]) -> None:
    StoredSequences.write(tmp_path / "s", [Letters("a", b"ACGT"), Letters("b", b"AC")])
    damage(tmp_path / "s" / name)
    with pytest.raises(DamagedSequences):
        StoredSequences.open(tmp_path / "s")


def test_offsets_that_fall_are_seen(tmp_path: Path) -> None:
    StoredSequences.write(tmp_path / "s", [Letters("a", b"ACGT"), Letters("b", b"AC")])
    offsets = tmp_path / "s" / "offsets"
    content = offsets.read_bytes()
    offsets.write_bytes(content[:8] + (9).to_bytes(8, "little") + content[16:])
    with pytest.raises(DamagedSequences, match="do not increase"):
        StoredSequences.open(tmp_path / "s")


def test_folder_is_for_nobody_else(tmp_path: Path) -> None:
    StoredSequences.write(tmp_path / "s", [])
    assert (tmp_path / "s").stat().st_mode & 0o777 == 0o700
