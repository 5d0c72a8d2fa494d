"""Sequences in a folder: the same as were stored, by their numbers, and nothing else."""

import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.errors import FastaFormatError
from shardwater.sequences import regular, stored
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.named import Letters
from shardwater.sequences.reads import read_records
from shardwater.sequences.stored import DamagedSequences, StoredSequences

records = st.lists(st.builds(Letters, st.text(max_size=5), st.binary(max_size=20)), max_size=20)


@contextmanager
def quickly() -> Iterator[str]:
    """A folder for a moment, which need not outlast a crash."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield folder


@given(records)
def test_each_is_found_by_its_number(expected: list[Letters]) -> None:
    with quickly() as folder:
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
    with quickly() as folder:
        digests = [
            StoredSequences.write(Path(folder) / str(number), each).digest for number, each in enumerate((one, two))
        ]
        assert (digests[0] == digests[1]) == (one == two)


def test_more_than_are_written_at_once_are_all_there(tmp_path: Path) -> None:
    expected = [Letters(str(number), b"A" * (number % 7)) for number in range(10_000)]
    assert list(StoredSequences.write(tmp_path / "s", expected)) == expected


def test_chromosomes_are_written_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "_LETTERS_AT_ONCE", 10)
    expected = [Letters(str(number), b"ACGT" * size) for number, size in enumerate([1, 9, 0, 20, 1, 1, 1])]
    assert [len(block.lengths) for block in stored._blocks(expected)] == [2, 2, 3]
    assert list(StoredSequences.write(tmp_path / "s", expected)) == expected


def opened(text: bytes) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(text))


names = st.sampled_from([b"a", b"b x", b"|c|", b"", b" d", b"e\t>f", "\u00e9".encode()])
lines = st.sampled_from([b"ACGT", b"", b"nnnn", b"A C", b"AC\r", b"AE", b"a>b", b"A" * 40, b";c", b" #>c"])
fasta = st.builds(lambda name, body: b"\n".join([b">" + name, *body]), names, st.lists(lines, max_size=3))
reads = st.builds(
    lambda name, letters, plus, more: b"\n".join([b"@" + name, letters, b"+" + plus, b"I" * len(letters) + more]),
    *(names, lines, st.sampled_from([b"", b"a", b"a b", b"\rr", b"a\ra"])),
    st.sampled_from([b"", b"", b"", b"I", b"\x07"]),
)
texts = st.builds(
    lambda records, end: b"\n".join(records) + end,
    st.one_of(st.lists(fasta, max_size=6), st.lists(reads, max_size=6)),
    st.sampled_from([b"", b"\n", b"\n\n", b"\nAC\n"]),
)


@settings(max_examples=150)
@given(texts, st.integers(1, 60), st.sampled_from([1, 7, 30, regular.LONGEST_RECORD]))
def test_text_is_stored_as_it_is_read_line_by_line(text: bytes, piece: int, longest: int) -> None:
    with quickly() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(regular, "PIECE", piece)
        patch.setattr(regular, "LONGEST_RECORD", longest)
        folder, expected, fault = Path(name), list[Letters](), ""
        try:
            expected = [record.letters(DNA, "query") for record in read_records(opened(text), "it")]
        except FastaFormatError as error:
            fault = str(error)
        try:
            stored = StoredSequences.write_text(folder / "text", opened(text), "it", DNA, "query")
        except FastaFormatError as error:
            assert str(error) == fault != ""
            return
        assert (list(stored), fault) == (expected, "")
        assert stored.digest == StoredSequences.write(folder / "records", expected).digest


@pytest.mark.parametrize("plus", [b"+\rr", b"+r\rr"])
def test_cr_in_the_third_line_of_a_read_ends_it(tmp_path: Path, plus: bytes) -> None:
    text = b"@r\nAC\n" + plus + b"\nII\n"
    with pytest.raises(FastaFormatError, match="1 quality for 2 letters") as caught:
        StoredSequences.write_text(tmp_path / "s", opened(text), "it", DNA, "query")
    assert (caught.value.record, caught.value.line, caught.value.column) == (1, 4, 2)


@pytest.mark.parametrize("form", ["fasta", "fastq"])
def test_regular_text_is_read_by_arrays(tmp_path: Path, form: str) -> None:
    letters = ["ACGT" * (number % 9) for number in range(5000)]
    text = "".join(
        f">r{number} x\n{each}\n" if form == "fasta" else f"@r{number} x\n{each}\n+\n{'I' * len(each)}\n"
        for number, each in enumerate(letters)
    )
    blocks = list(regular.regular_blocks(opened(text.encode()), DNA))
    assert sum(len(block.lengths) for block in blocks) == 5000
    stored = StoredSequences.write_text(tmp_path / "s", opened(text.encode()), "it", DNA, "query")
    assert list(stored) == [Letters(f"r{number}", each.encode()) for number, each in enumerate(letters)]


def test_chromosome_is_read_piece_by_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regular, "PIECE", 8)
    monkeypatch.setattr(regular, "LONGEST_RECORD", 20)
    text = b">one x\n" + b"ACGTACGT\n" * 9 + b">two\nAC\n>three\n" + b"TTTT\n" * 20 + b"A"
    blocks = list(regular.regular_blocks(opened(text), DNA))
    assert max(len(block.letters) for block in blocks) < 50
    stored = StoredSequences.write_text(tmp_path / "s", opened(text), "it", DNA, "query")
    assert list(stored) == [
        Letters("one", b"ACGTACGT" * 9),
        Letters("two", b"AC"),
        Letters("three", b"TTTT" * 20 + b"A"),
    ]


def test_wrong_letter_has_its_place(tmp_path: Path) -> None:
    with pytest.raises(FastaFormatError, match=r"queries: record 1, line 3, column 2: 'E' is no letter of DNA"):
        StoredSequences.write_text(tmp_path / "s", opened(b">a\nACGT\nAE\n"), "queries", DNA, "query")


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
    stored = StoredSequences.open(tmp_path / "s")
    for look in (lambda: stored.lengths, lambda: stored.ends(range(2)), lambda: stored[1]):
        with pytest.raises(DamagedSequences, match="do not increase"):
            look()


def test_offsets_of_names_that_fall_are_seen(tmp_path: Path) -> None:
    StoredSequences.write(tmp_path / "s", [Letters("abc", b"ACGT"), Letters("d", b"AC")])
    (tmp_path / "s" / "name_offsets").write_bytes(np.array([0, 9, 4], "<i8").tobytes())
    stored = StoredSequences.open(tmp_path / "s")
    for look in (lambda: stored.names(range(2)), lambda: stored.names([1]), lambda: stored[1]):
        with pytest.raises(DamagedSequences, match="do not increase"):
            look()


def test_offsets_beyond_the_letters_are_seen(tmp_path: Path) -> None:
    records = [Letters(f"n{number}", b"ACGT") for number in range(10)]
    StoredSequences.write(tmp_path / "s", records)
    offsets = np.fromfile(tmp_path / "s" / "offsets", "<i8")
    offsets[4:8] += 1_000
    (tmp_path / "s" / "offsets").write_bytes(offsets.tobytes())
    stored = StoredSequences.open(tmp_path / "s")
    stored.check(range(3))
    for look in (lambda: stored.check(range(4, 6)), lambda: stored.ends(range(4, 6)), lambda: stored[5]):
        with pytest.raises(DamagedSequences, match="beyond"):
            look()


def test_folder_is_for_nobody_else(tmp_path: Path) -> None:
    StoredSequences.write(tmp_path / "s", [])
    assert (tmp_path / "s").stat().st_mode & 0o777 == 0o700
