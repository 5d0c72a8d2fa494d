"""build_database: the folder it writes, whatever the form of its input and the size of its memory."""

import gzip
import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.database import accessions, sorter
from shardwater.database.build import build_database
from shardwater.database.catalog import Catalog
from shardwater.database.manifest import DTYPES
from shardwater.database.runs import Budgets
from shardwater.database.verified import RECORD
from shardwater.errors import DatabaseError, FastaFormatError
from shardwater.sequences.encoding import as_utf8
from tests.support.databases import TINY, TWO, build_tiny


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def fault(folder: Path, *texts: bytes, budgets: Budgets = TINY) -> FastaFormatError:
    with pytest.raises(FastaFormatError) as caught:
        build_tiny(folder, *texts, budgets=budgets)
    assert not (folder / "data").exists()
    return caught.value


def test_subjects_are_sorted_by_length_and_keep_their_letters(tmp_path: Path):
    database = build_tiny(tmp_path, b">b second one\nMkvLA\nMK\n>a\nMKV\n>c\n*\n>d\nUOj\n")
    assert [database.header(subject) for subject in range(4)] == ["c", "a", "d", "b second one"]
    assert [database.sequence(subject) for subject in range(4)] == [b"*", b"MKV", b"UOj", b"MkvLAMK"]
    assert (database.accession(3), database.title(3)) == ("b", "second one")
    manifest = database.manifest
    assert (manifest.subjects, manifest.residues, manifest.shortest, manifest.longest) == (4, 14, 1, 7)
    assert manifest.replaced == {"J": 1, "O": 1, "U": 1}
    assert (manifest.format, manifest.alphabet, manifest.shards) == (1, "protein", 1)
    assert manifest.version == manifest.checksum[:12]
    database.verify()


def test_equal_lengths_keep_input_order_over_files(tmp_path: Path):
    database = build_tiny(tmp_path, b">z\nMK\n>y\nMKV\n", b">x\nMK\n>w\nMKV")
    assert [database.accession(subject) for subject in range(4)] == ["z", "x", "y", "w"]


@pytest.mark.parametrize(
    "text",
    [
        TWO.replace(b"\n", b"\r\n"),
        TWO.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + TWO,
        b"\n\n" + TWO.replace(b"\n", b"\n\n"),
        TWO.replace(b"MKVLA\nMK", b"M\nK\tV LAM\v\f\n  \nK   "),
        TWO.rstrip(),
        b" \n  " + TWO.replace(b"\n", b"\n \t") + b" \t",
        b";c\n#>c\n" + TWO.replace(b"\n", b"\n !" + b"MK>" * 30 + b"\n"),
        gzip.compress(TWO, mtime=0),
        b"".join(gzip.compress(part, mtime=0) for part in (TWO[:9], TWO[9:20], b"", TWO[20:])) + b"\0" * 9,
    ],
)
def test_form_of_the_text_does_not_matter(tmp_path: Path, text: bytes):
    expected = build_tiny(tmp_path, TWO)
    (tmp_path / "other").mkdir()
    other = build_tiny(tmp_path / "other", text)
    assert content(other.path) == content(expected.path)


ACCESSIONS = st.text("ABC|._", min_size=1, max_size=6)
HEADER_RESTS = st.binary(max_size=8).map(lambda rest: rest.translate(None, b"\0\r\n"))
SEQUENCES = st.text("ACDXUacd*J", min_size=1, max_size=40).filter(lambda letters: letters.strip())
RECORDS = st.lists(st.tuples(ACCESSIONS, HEADER_RESTS, SEQUENCES), min_size=1, max_size=25, unique_by=lambda r: r[0])


def wrap(header: bytes, sequence: bytes, width: int, end: bytes) -> bytes:
    lines = [sequence[at : at + width] for at in range(0, len(sequence), width)]
    return end.join([b">" + header, *lines, b""])


@pytest.mark.thorough
@settings(max_examples=80, deadline=None)
@given(data=st.data(), records=RECORDS)
def test_database_is_that_of_a_sort_in_memory(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, records):
    folder = tmp_path_factory.mktemp("property")
    pairs = [(name.encode() + b" " + rest, sequence.encode()) for name, rest, sequence in records]
    width, end = data.draw(st.integers(1, 50)), data.draw(st.sampled_from([b"\n", b"\r\n", b"\r", b"\n \t"]))
    borders = sorted(data.draw(st.sets(st.integers(1, len(pairs)), max_size=2)) | {0, len(pairs)})
    texts = [
        b"".join(wrap(header, sequence, width, end) for header, sequence in pairs[first:stop])
        for first, stop in pairwise(borders)
    ]
    texts = [gzip.compress(text) if data.draw(st.booleans()) else text for text in texts]
    budgets = Budgets(
        block=data.draw(st.integers(8, 40)),
        header=64,
        run=data.draw(st.integers(20, 3000)),
        merge=data.draw(st.integers(1, 100)),
        subjects=data.draw(st.integers(1, 20)),
    )
    database = build_tiny(folder, *texts, budgets=budgets)

    expected = sorted(pairs, key=lambda pair: len(pair[1]))
    lengths = [len(sequence) for _, sequence in expected]
    assert database.lengths.tolist() == lengths
    assert database.offsets.tolist() == np.cumsum([0, *lengths]).tolist()
    assert database.residues.tobytes() == b"".join(sequence for _, sequence in expected)
    headers = [as_utf8(header) for header, _ in expected]
    assert database.names.tobytes() == b"".join(headers)
    assert database.name_offsets.tolist() == np.cumsum([0, *map(len, headers)]).tolist()
    for subject, (header, _) in enumerate(expected):
        assert database.find(header.split()[0].decode()) == subject
    database.verify()


NUMBERS, LEFT_OUT = "leave out the numbers of lines, as GenBank has them", "or have them left out (--ignore-invalid)"
GAPS = "leave out an alignment's gaps"
FAULTS = [
    (b">a\nMKV\n>b\nMK\0V\n", (2, 4, 3), "a NUL byte, which no text file has"),
    (b">a\nMKV\n>b\nMK\x1bV\n", (2, 4, 3), r"'\x1b' is not an amino acid letter"),
    (b">a\nMKV\n>b\nM K\xe9V\n", (2, 4, 4), r"'\xe9' is not an amino acid letter: save the text as UTF-8 (or ASCII)"),
    (b">a\nMK\x7fV\n", (1, 2, 3), r"'\x7f' is not an amino acid letter"),
    (b">a\nMKV\n>b\nMK>c\nMK\n", (2, 4, 3), "'>' inside a sequence line"),
    (b">a\nMKV\n >b\nMK>\n", (2, 4, 3), "'>' inside a sequence line"),
    (b">a\n" + b"MK" * 40 + b">b\nMK\n", (1, 2, 81), "'>' inside a sequence line"),
    (b">a\n" + b"M" * 13 + b">b\nMK\n", (1, 2, 14), "'>' inside a sequence line"),
    (b"@r1\nMKV\nIII\n", (0, 1, 1), "text before the first '>'"),
    (b">a\nMKV\n>b\n1 MKV\n", (2, 4, 1), f"'1' is not an amino acid letter: {NUMBERS}, {LEFT_OUT}"),
    (b">a\nMKV\n>b\nMK-V\n", (2, 4, 3), f"'-' is not an amino acid letter: leave out an alignment's gaps, {LEFT_OUT}"),
    (b">a\nMKV\n>b\nMK?V\n", (2, 4, 3), f"'?' is not an amino acid letter, {LEFT_OUT}"),
    (b"\n  MKV\n>a\nMK\n", (0, 2, 3), "text before the first '>'"),
    (b">a\nMKV\n>\nMK\n", (2, 3, 1), "a header with no accession"),
    (b" >a\nMKV\n\t > \t\nMK\n", (2, 3, 3), "a header with no accession"),
    (b">a\nMKV\n>b \0\nMK\n", (2, 3, 4), "NUL byte in a header"),
    (b">a\nMKV\n>b\n>c\nMK\n", (2, 3, None), "a record with no residues"),
    (b">a\nMKV\n>b\n \n\n\n", (2, 3, None), "a record with no residues"),
    (b">a\nMKV\n>b", (2, 3, None), "a record with no residues"),
    (b">a\nMKV\n;note\nM;K\n", (1, 4, 2), "';' is not an amino acid letter. Put comments on their own lines"),
    (b"#M\n>a\nMKV\n!M\n;" + b"x" * 90 + b"\nM-K", (1, 6, 2), f"'-' is not an amino acid letter: {GAPS}, {LEFT_OUT}"),
    (b">a\nMKV\n>b" + b"x" * 64 + b"\nMK\n", (2, 3, 1), "a header longer than 64 bytes"),
    (b">a\nMKV\n>b" + b"x" * 200 + b"\nMK\n", (2, 3, 1), "a header longer than 64 bytes"),
    (b"", (None, None, None), "no sequence found"),
    (b"\n\n \n", (None, None, None), "no sequence found"),
]


@pytest.mark.parametrize("block", [8, 9, 13, 16, 1 << 20])
@pytest.mark.parametrize(("text", "where", "detail"), FAULTS)
def test_fault_is_placed_wherever_blocks_end(tmp_path: Path, text: bytes, where, detail: str, block: int):
    error = fault(tmp_path, TWO.replace(b">", b">x"), text, budgets=Budgets(block=block, header=64, run=300))
    assert ((error.record, error.line, error.column), error.detail) == (where, detail)
    assert error.file == str(tmp_path / "1.fa")


PIECES = [
    b">",
    b">a",
    b">b x",
    b"\n",
    b"\n",
    b"\r",
    b"\r\n",
    b" ",
    b"\t",
    b"M",
    b"MKV",
    b"-",
    b";",
    b"\n#",
    b"\0",
    b"\xe9",
    b"x" * 70,
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join), st.integers(8, 20))
def test_quick_check_and_line_by_line_search_agree(tmp_path_factory: pytest.TempPathFactory, text: bytes, block: int):
    """Whatever the one refuses the other can place: 'no sequence found' is only said of text that is blank."""
    source = tmp_path_factory.mktemp("fuzz") / "0.fa"
    source.write_bytes(text)
    lines = text.replace(b"\r", b"\n").split(b"\n")
    try:
        build_database([source], source.parent, name="db", budgets=Budgets(block=block, header=64, run=100))
    except FastaFormatError as error:
        blank = not any(line.strip()[:1].strip(b";#") for line in lines)
        assert (error.line is None) == (error.detail == "no sequence found") == blank
    else:
        assert len(Catalog(source.parent).current("db")) == sum(line.lstrip(b" \t").startswith(b">") for line in lines)


@pytest.mark.parametrize("block", [8, 9, 13, 16, 1 << 20])
def test_header_of_the_longest_kind_is_read(tmp_path: Path, block: int):
    database = build_tiny(
        tmp_path, b">a\nMKV\n>b" + b"x" * 62 + b"\nMK\n", budgets=Budgets(block=block, header=64, run=300)
    )
    assert database.accession(0) == "b" + "x" * 62


def test_duplicate_accession_names_both_places(tmp_path: Path):
    error = fault(tmp_path, b">a x\nMKV\n>b\nMKVL\n", b">c\nMK\n\n>b other\nMKVLAMKVLA\n")
    assert (error.file, error.record, error.line) == (str(tmp_path / "1.fa"), 2, 4)
    assert error.detail == f"duplicate accession 'b' (first at {tmp_path / '0.fa'} line 3)"


def test_hundreds_of_one_accession_are_refused(tmp_path: Path):
    error = fault(tmp_path, b">a\nMK\n" * 300)
    assert (error.record, error.line) == (2, 3)


def test_accessions_with_one_hash_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for module in ("accessions", "database"):
        same = lambda wanted: np.full(len(wanted), 7, dtype=np.uint64)  # noqa: E731
        monkeypatch.setattr(f"shardwater.database.{module}.hash_keys", same)
    database = build_tiny(tmp_path, b">a\nMK\n>b\nMKV\n>c\nM\n")
    assert [database.find(accession) for accession in "abcd"] == [1, 2, 0, None]
    (tmp_path / "again").mkdir()
    error = fault(tmp_path / "again", b">a\nMK\n>b\nMKV\n>c\nM\n>a\nMKVL\n")
    assert error.detail.startswith("duplicate accession 'a'")


@pytest.mark.parametrize("cut", [5, 15, -9, -1])
def test_truncated_gzip_is_refused(tmp_path: Path, cut: int):
    error = fault(tmp_path, gzip.compress(TWO)[:cut])
    assert (error.file, error.detail) == (str(tmp_path / "0.fa"), "truncated gzip file")


def test_corrupt_gzip_is_refused(tmp_path: Path):
    whole = bytearray(gzip.compress(TWO * 1))
    whole[-6] ^= 0xFF
    assert fault(tmp_path, bytes(whole)).detail.startswith("corrupt gzip file")
    (tmp_path / "tail").mkdir()
    assert fault(tmp_path / "tail", gzip.compress(TWO) + b"junk").detail.startswith("corrupt gzip file")


def test_gzip_bomb_is_read_in_pieces(tmp_path: Path):
    database = build_tiny(
        tmp_path, gzip.compress(b">a\n" + b"M" * 5_000_000), budgets=Budgets(block=1 << 16, run=1 << 20)
    )
    assert database.lengths.tolist() == [5_000_000]


def test_sequence_longer_than_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for module in ("sequences.fasta", "database.sorter"):
        monkeypatch.setattr(f"shardwater.{module}.LONGEST_SEQUENCE", 100)
    assert build_tiny(tmp_path, b">a\n" + b"MKVLA\n" * 20).lengths.tolist() == [100]
    (tmp_path / "more").mkdir()
    error = fault(tmp_path / "more", b">a\n" + b"MKVLA\n" * 20 + b"M\n")
    assert (error.record, error.line, error.column) == (1, 22, 1)


@pytest.mark.parametrize("length", [60, 61, 1000])
def test_record_over_many_blocks_among_short_ones(tmp_path: Path, length: int):
    texts = [b">s%d\nMKV\n" % number for number in range(9)]
    texts.insert(4, b">long\n" + b"ACDEFGHIKU\n" * (length // 10))
    database = build_tiny(tmp_path, b"".join(texts))
    assert database.sequence(9) == b"ACDEFGHIKU" * (length // 10)
    assert database.manifest.replaced == {"U": length // 10}
    assert [database.accession(subject) for subject in range(9)] == [f"s{number}" for number in range(9)]
    database.verify()


def test_progress_ends_with_all_bytes(tmp_path: Path):
    seen: list[tuple[int, int]] = []
    build_tiny(tmp_path, TWO, gzip.compress(b">c\nMKV\n"), progress=lambda done, total: seen.append((done, total)))
    total = len(TWO) + len(gzip.compress(b">c\nMKV\n"))
    assert seen[-1] == (total, total)
    assert seen == sorted(seen)
    assert len(seen) > 2


def test_same_content_again_is_already_there(tmp_path: Path):
    first = build_tiny(tmp_path, TWO)
    before = first.created_at
    os.utime(first.path / "manifest.json", (1, 1))
    assert build_tiny(tmp_path, TWO).created_at.timestamp() == 1
    assert before.timestamp() > 1


def test_other_labels_for_the_same_content_change_the_manifest(tmp_path: Path):
    first = build_tiny(tmp_path, TWO)
    second = build_tiny(tmp_path, TWO, title="Two", shards=4)
    assert second.path == first.path
    assert (second.manifest.title, second.manifest.shards) == ("Two", 4)
    assert second.manifest.checksum == first.manifest.checksum
    assert {path.name for path in first.path.iterdir()} - {RECORD} == {*DTYPES, "manifest.json"}


def test_version_with_other_content_is_refused(tmp_path: Path):
    build_tiny(tmp_path, TWO, version="2024_01")
    with pytest.raises(DatabaseError, match="already there with other content"):
        build_tiny(tmp_path, b">a\nM\n", version="2024_01")
    assert len(Catalog(tmp_path / "data").current("db")) == 2


def test_new_content_becomes_current_beside_the_old(tmp_path: Path):
    old = build_tiny(tmp_path, TWO)
    new = build_tiny(tmp_path, b">a\nM\n")
    catalog = Catalog(tmp_path / "data")
    assert catalog.versions("db") == sorted([old.manifest.version, new.manifest.version])
    assert catalog.current_version("db") == new.manifest.version


def test_sources_that_are_no_files_are_refused(tmp_path: Path):
    for source, reason in ((tmp_path / "none.fa", "no such file"), (tmp_path, "a folder, not a file")):
        with pytest.raises(DatabaseError, match=reason):
            build_database([source], tmp_path / "data", name="db")
    with pytest.raises(DatabaseError, match="no FASTA file given"):
        build_database([], tmp_path / "data", name="db")


@pytest.mark.parametrize(
    "labels",
    [{"name": "../x"}, {"version": ".hidden"}, {"shards": 0}, {"version": "current"}, {"title": os.fsdecode(b"\xe9")}],
)
def test_bad_labels_are_refused(tmp_path: Path, labels: dict[str, object]):
    with pytest.raises(DatabaseError):
        build_tiny(tmp_path, TWO, **labels)
    assert not (tmp_path / "data").exists()


def test_tiny_budgets_really_make_many_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    counts: list[int] = []
    finish = sorter.Sorter.finish
    monkeypatch.setattr(sorter.Sorter, "finish", lambda self: counts.append(len(finish(self))) or finish(self))
    build_tiny(tmp_path, b"".join(b">s%d\nMKV\n" % number for number in range(40)))
    assert counts[0] > 5


def test_index_is_made_in_several_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    passes: list[int] = []
    select = accessions._select
    monkeypatch.setattr(accessions, "_select", lambda *args: passes.append(1) or select(*args))
    build_tiny(tmp_path, b"".join(b">s%d\nMKV\n" % number for number in range(40))).verify()
    assert len(passes) == 14


@pytest.mark.parametrize("run", [300, 1 << 20])
def test_records_that_look_like_dna_are_counted_whatever_memory_there_is(tmp_path: Path, run: int):
    dna = b"".join(b">d%d\n" % number + b"ACGT\nNacg\n" * (3 + 20 * number) for number in range(4))
    (tmp_path / "x.fa").write_bytes(TWO + dna + b">short\nACGT\n>most\nACGTACGTACGTACGTACGTACGTACMKV\n")
    built = build_database([tmp_path / "x.fa"], tmp_path, name="db", budgets=Budgets(block=64, header=64, run=run))
    assert (built.manifest.subjects, built.like_dna) == (8, 4)


GENBANK = b">a gapped\n#1 MK\n    1 MKISANSIRT GNILVYNNDL 20\n   21 M-.K\n>b\n120\nMK\n"


@pytest.mark.parametrize("block", [8, 9, 16, 1 << 20])
def test_what_is_no_letter_is_left_out_and_counted_where_that_is_asked_for(tmp_path: Path, block: int):
    (tmp_path / "x.fa").write_bytes(GENBANK)
    budgets = Budgets(block=block, header=64, run=300)
    built = build_database([tmp_path / "x.fa"], tmp_path, name="db", ignore_invalid=True, budgets=budgets)
    database = Catalog(tmp_path).current("db")
    assert [database.sequence(subject) for subject in range(2)] == [b"MK", b"MKISANSIRTGNILVYNNDLMK"]
    assert (built.ignored, built.manifest.replaced) == (10, {})


@pytest.mark.parametrize(
    ("text", "where", "detail"),
    [
        (b">a\n1>b\nMK\n", (1, 2, 2), "'>' inside a sequence line"),
        (b">a\n123\n>b\nMK\n", (1, 1, None), "a record with no residues"),
        (b">a\nMK\0V\n", (1, 2, 3), "a NUL byte, which no text file has"),
        (b"12 M\n>a\nMK\n", (0, 1, 4), "text before the first '>'"),
        (b">a\n12;M\n", (1, 2, 3), "';' is not an amino acid letter. Put comments on their own lines"),
    ],
)
def test_other_faults_stay_where_letters_are_left_out(tmp_path: Path, text: bytes, where, detail: str):
    with pytest.raises(FastaFormatError) as caught:
        build_tiny(tmp_path, text, ignore_invalid=True)
    error = caught.value
    assert ((error.record, error.line, error.column), error.detail) == (where, detail)


def test_pipe_is_read_and_a_fault_in_it_is_placed(tmp_path: Path):
    for text in (TWO, gzip.compress(TWO), b">a\nMK1\n"):
        reading, writing = os.pipe()
        os.write(writing, text)
        os.close(writing)
        try:
            build_database([Path(f"/dev/fd/{reading}")], tmp_path / "data", name="db")
        except FastaFormatError as error:
            assert (error.file, error.record, error.line, error.column) == (f"/dev/fd/{reading}", 1, 2, 3)
        finally:
            os.close(reading)
    assert Catalog(tmp_path / "data").current("db").manifest.subjects == 2
    assert [path.name for path in (tmp_path / "data" / "db").iterdir() if path.name.startswith(".")] == []


def test_failed_build_leaves_the_folders_that_were_there(tmp_path: Path):
    (tmp_path / "data" / "db").mkdir(parents=True)
    with pytest.raises(FastaFormatError):
        build_tiny(tmp_path, b">a\n")
    assert (tmp_path / "data" / "db").is_dir() is True
