"""SAM of pairs, read back by its definition, by htslib through pysam, and by Biopython."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shardwater.alignment.scheme import Mode, Scheme
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.sam import SubjectNameTaken, claim_subjects
from shardwater.pairs.align import FoundPair, align_named
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.strands import Strands
from shardwater.scoring.table import match_table, matrix_table
from shardwater.sequences.named import Letters, reverse_complement
from shardwater.sequences.stored import StoredSequences
from tests.support.found_pairs import DNA_SCHEME, found, operations, replay, sequences, text_of, text_with
from tests.support.schemes import MODES

LINE = re.compile(
    r"[!-?A-~]{1,254}\t\d+\t(\*|[0-9A-Za-z!#$%&+./:;?@^_|~-][0-9A-Za-z!#$%&*+./:;=?@^_|~-]*)\t\d+\t\d+\t"
    r"(\*|(\d+[MIDNSHPX=])+)\t\*\t0\t0\t(\*|[A-Za-z=.]+)\t\*((\t[A-Za-z][A-Za-z0-9]:[if]:[-+0-9.]+)*)"
)


def split(text: str) -> tuple[list[list[str]], list[list[str]]]:
    lines = [line.split("\t") for line in text.splitlines()]
    return [line for line in lines if line[0][0] == "@"], [line for line in lines if line[0][0] != "@"]


def pairs_of(queries: list[Letters], subjects: list[Letters], strand: Strands = "forward") -> list[FoundPair]:
    pairs = ((query, subject) for query in queries for subject in subjects)
    return list(align_named(pairs, DNA_SCHEME, "alignment", strand, CpuPairs(1)))


def lines_of_all(queries: list[Letters], subjects: list[Letters]) -> list[list[str]]:
    """The lines of each query with each subject; no two pairs have the same objects."""
    numbered = [replace(query, number=number) for number, query in enumerate(queries)]
    pairs = [replace(each, query=replace(each.query)) for each in pairs_of(numbered, subjects)]
    return split(text_with(Layout("match 2, mismatch -1", each_with_each=True), "sam", pairs))[1]


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[str], list[object]]:
    """opened(text): its lines as htslib reads them, which refuses a header that the standard does not allow."""
    pysam = pytest.importorskip("pysam")

    def lines(text: str) -> list[object]:
        (tmp_path / "x.sam").write_text(text)
        with pysam.AlignmentFile(str(tmp_path / "x.sam"), check_sq=False) as file:
            return list(file)

    return lines


def test_header_and_a_line() -> None:
    header, [line] = split(text_of("sam", found([("GGACGTTGCAAC", "TTACGTTCAACT")])))
    assert [one[:3] for one in header[:2]] == [["@HD", "VN:1.6", "SO:unsorted"], ["@SQ", "SN:s1", "LN:12"]]
    assert header[2][:2] == ["@PG", "ID:shardwater"]
    assert line == ["q1", "0", "s1", "3", "255", "2S5=1I4=", "*", "0", "0", "GGACGTTGCAAC", "*", "AS:i:16", "NM:i:1"]


def test_other_strand_shows_the_reverse_complement() -> None:
    _, [line] = split(text_of("sam", found([("TTTTTGACC", "GGTCAACCC")], strand="both")))
    assert (line[1], line[3], line[5], line[9]) == ("16", "1", "6=3S", "GGTCAAAAA")


def test_pair_without_an_alignment_is_unmapped() -> None:
    header, lines = split(text_of("sam", found([("AAA", "CCC"), ("", "ACGT")])))
    assert [one[0] for one in header] == ["@HD", "@PG"]
    fields = ["*", "0", "0", "*", "*", "0", "0"]
    assert lines == [["q1", "4", *fields, "AAA", "*"], ["q2", "4", *fields, "*", "*"]]


def test_best_alignment_of_a_query_is_primary_and_the_first_of_equals() -> None:
    queries = [Letters("q", b"AAAA"), Letters("q", b"CCCC"), Letters("r", b"AAAA"), Letters("t", b"GG")]
    subjects = [Letters("c", b"CCCC"), Letters("a", b"AAA"), Letters("ac", b"AAAACCCC"), Letters("aa", b"AAAA")]
    assert [(line[0], line[2], line[1]) for line in lines_of_all(queries, subjects)] == [
        *[("q", "a", "256"), ("q", "ac", "0"), ("q", "aa", "256")],
        *[("q", "c", "0"), ("q", "ac", "256")],
        *[("r", "a", "256"), ("r", "ac", "0"), ("r", "aa", "256")],
        ("t", "*", "4"),
    ]


def test_queries_that_are_alike_are_reads_of_their_own() -> None:
    queries = [Letters("q", b"AAAA")] * 2 + [Letters("n", b"GGGG")] * 2
    lines = lines_of_all(queries, [Letters("a", b"AAAA"), Letters("b", b"AAAC")])
    assert [(line[0], line[1]) for line in lines] == [
        *[("q", "0"), ("q", "256")] * 2,
        *[("n", "4")] * 2,
    ]


def test_each_pair_of_zip_is_a_read_of_its_own() -> None:
    pairs = pairs_of([Letters("q", b"AAAA")], [Letters("a", b"AAAA"), Letters("c", b"CCCC"), Letters("b", b"AAA")])
    assert [line[1] for line in split(text_of("sam", pairs))[1]] == ["0", "4", "0"]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text("AC", max_size=5), max_size=4), st.lists(st.text("ACG", max_size=5), min_size=1, max_size=4))
def test_exactly_one_line_of_a_read_is_primary(queries: list[str], subjects: list[str]) -> None:
    named = [
        [Letters(f"{kind}{number}", text.encode()) for number, text in enumerate(texts)]
        for kind, texts in (("q", queries), ("s", subjects))
    ]
    lines = lines_of_all(*named)
    assert [line[0] for line in lines if not int(line[1]) & 0x900] == [query.name for query in named[0]]
    for query in named[0]:
        read = [line for line in lines if line[0] == query.name]
        assert len(read) == 1 or not any(int(line[1]) & 4 for line in read)


def test_two_subjects_of_one_name_are_refused_unless_they_are_the_same(tmp_path: Path) -> None:
    query, one, other = Letters("q", b"AAAA"), Letters("s", b"AAAA"), Letters("s", b"AAAC")
    header, _ = split(text_of("sam", pairs_of([query], [one, one])))
    assert [line[1] for line in header if line[0] == "@SQ"] == ["SN:s"]
    with pytest.raises(SubjectNameTaken):
        text_of("sam", pairs_of([query], [one, other]))
    claim_subjects(StoredSequences.write(tmp_path / "same", [one, one]))
    with pytest.raises(SubjectNameTaken, match="two different subjects are named s, which SAM does not allow"):
        claim_subjects(StoredSequences.write(tmp_path / "other", [one, one, other]))


def test_names_and_letters_that_sam_does_not_allow(opened: Callable[[str], list[object]]) -> None:
    scheme = Scheme(matrix_table("BLOSUM62"), 11, 1)
    pair = (Letters("@q\N{SNOWMAN}", b"MKV*LW"), Letters("*s,1", b"MKV*LW"))
    text = text_of("sam", list(align_named([pair], scheme, "alignment", "forward", CpuPairs(1))))
    [line] = split(text)[1]
    assert (line[0], line[2], line[9]) == ("%40q%E2%98%83", "%2As%2C1", "MKVXLW")
    assert len(opened(text)) == 1


@settings(max_examples=100, deadline=None)
@given(sequences, st.sampled_from(MODES), st.sampled_from(["forward", "both"]))
def test_what_is_written_is_the_alignment(pairs: list[tuple[str, str]], mode: Mode, strand: Strands) -> None:
    scheme = Scheme(match_table(2, -1), 1, 1, mode)
    answers = found(pairs, scheme, strand=strand)
    text = text_of("sam", answers)
    header, lines = split(text)
    named = {line[1].removeprefix("SN:"): int(line[2].removeprefix("LN:")) for line in header if line[0] == "@SQ"}
    assert {line[2] for line in lines} - {"*"} == set(named)
    for line, answer in zip(lines, answers, strict=True):
        assert LINE.fullmatch("\t".join(line))
        if line[1] == "4":
            assert answer.found is None or answer.found.subject_start == answer.found.subject_end
            continue
        query = reverse_complement(answer.query.letters) if int(line[1]) & 16 else answer.query.letters
        assert (line[9], named[line[2]]) == (query.decode() or "*", len(answer.subject.letters))
        parts = operations(line[5])
        before, after = (parts[end][0] if parts[end][1] == "S" else 0 for end in (0, -1))
        cigar = "".join(f"{length}{kind}" for length, kind in parts if kind != "S")
        begin = int(line[3]) - 1
        spanned = sum(length for length, kind in parts if kind in "=XD")
        aligned = query[before : len(query) - after]
        score, differing = replay(cigar, aligned, answer.subject.letters[begin : begin + spanned], scheme)
        assert line[11:] == [f"AS:i:{score}", f"NM:i:{differing}"]


def test_htslib_reads_it(opened: Callable[[str], list[object]]) -> None:
    answers = found([("TTTTTGACC", "GGTCAACCC"), ("AAA", "CCC"), ("ACGTA", "TACGTAA")], strand="both")
    one, two, three = opened(text_of("sam", answers))
    assert (one.is_reverse, one.reference_start, one.cigarstring) == (True, 0, "6=3S")  # type: ignore[attr-defined]
    assert (one.get_tag("AS"), one.get_tag("NM")) == (12, 0)  # type: ignore[attr-defined]
    assert two.is_unmapped  # type: ignore[attr-defined]
    assert (three.query_name, three.reference_name) == ("q3", "s3")  # type: ignore[attr-defined]


def test_biopython_reads_it() -> None:
    align = pytest.importorskip("Bio.Align")
    answers = found([("ACGTTGCAAC", "TTACGTTCAACT")])
    [read] = align.parse(io.StringIO(text_of("sam", answers)), "sam")
    assert read.coordinates.tolist() == [[2, 7, 7, 11], [0, 5, 6, 10]]
