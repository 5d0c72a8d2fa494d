"""read_fasta: what it accepts, and where it says that a fault is."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.errors import FastaFormatError
from shardwater.sequences.fasta import CommentFilter, Record, count_headers, read_fasta, write_fasta

NUMBERS = "leave out the numbers of lines, as GenBank has them"


def fault(text: bytes) -> FastaFormatError:
    with pytest.raises(FastaFormatError) as caught:
        read_fasta(text, file="q.fa")
    assert caught.value.file == "q.fa"
    return caught.value


def place(text: bytes) -> tuple[int | None, int | None, int | None]:
    error = fault(text)
    return error.record, error.line, error.column


def test_two_records():
    records = read_fasta(b">sp|P1 globin one\nMKV\nLA\n>P2\nmkv*\n")
    assert records == [Record("sp|P1 globin one", b"MKVLA"), Record("P2", b"mkv*")]
    assert (records[0].id, records[0].title) == ("sp|P1", "globin one")
    assert (records[1].id, records[1].title) == ("P2", "")


@pytest.mark.parametrize(
    "text",
    [
        b">a x\r\nMK\r\nVL\r\n",
        b">a x\rMK\rVL",
        b"\xef\xbb\xbf>a x\nMKVL",
        b"\n \n>a x\n\nMK\n\n\tVL \n\n",
        b">a x\nM K\tV\vL\f",
        b"  >a x\n  MKVL\n",
        b"\xef\xbb\xbf\r\n \t\v\f>a x\r\n\tMK\r\n VL",
    ],
)
def test_line_ends_marks_and_blanks_do_not_matter(text: bytes):
    assert read_fasta(text) == [Record("a x", b"MKVL")]


def test_bare_sequence_is_query_1():
    assert read_fasta(b"\n mkv \r\nLA\n") == [Record("query_1", b"mkvLA")]


def test_header_without_a_word_gets_its_ordinal():
    assert [record.id for record in read_fasta(b">a\nM\n> \nK\n>\nV\n")] == ["a", "query_2", "query_3"]


def test_blanks_before_headers_are_skipped():
    text = b">a\nMK\n  >b one\n  MK V\n\t>c >d\nL"
    assert read_fasta(text) == [Record("a", b"MK"), Record("b one", b"MKV"), Record("c >d", b"L")]
    assert count_headers(text) == count_headers(text.decode()) == 3


def test_comment_lines_are_left_out_as_blast_does():
    text = b"; c\n>a x\n;inner\nMKV\r\n \t;>no\nLA\n!tail>\n>b ;x\nMK\n#tail\n  #GG\nGI\n"
    assert read_fasta(text) == [Record("a x", b"MKVLA"), Record("b ;x", b"MKGI")]
    assert count_headers(text) == 2
    assert read_fasta(b"#c\n;x\nMKV\n!y\nLA") == [Record("query_1", b"MKVLA")]


def test_pieces_of_comments_may_be_cut_anywhere():
    text = b" ;a\n>a #x\n#>b\nMK\n\t!cc\n \nLA\n;end"
    for first in range(len(text) + 1):
        for second in range(first, len(text) + 1):
            comments = CommentFilter()
            pieces = (text[:first], text[first:second], text[second:])
            assert b"".join(map(comments.take, pieces)).replace(b" ", b"").split() == [b">a#x", b"MK", b"LA"]


def test_first_line_of_stockholm_stays_and_is_a_comment_elsewhere():
    line = b"# STOCKHOLM 1.0\n"
    for text, rest in ((line + b"a MK\n" + line, line + b"a MK\n\n"), (b";\n" + line + b">a\nMK", b"\n\n>a\nMK")):
        for first in range(len(text) + 1):
            for second in range(first, len(text) + 1):
                comments = CommentFilter()
                assert b"".join(map(comments.take, (text[:first], text[first:second], text[second:]))) == rest
    assert read_fasta(b">a\nMK\n" + line + b"V\n ! STOCKHOLM\n") == [Record("a", b"MKV")]


def test_header_that_is_no_utf8_is_read_as_windows_1252():
    text = b">a \xff\x01b\nM\n>\xe9 \xc3\xa9\nM\n>\xe8 \x80\x81\nM"
    assert [record.header for record in read_fasta(text)] == ["a \u00ff\x01b", "\u00e9 \u00e9", "\u00e8 \u20ac\x81"]


def test_id_breaks_only_at_ascii_blanks():
    assert read_fasta(">a\u00a0b c\nM".encode())[0].id == "a\u00a0b"


@pytest.mark.parametrize(
    ("text", "where", "detail"),
    [
        (b">a\nMKV\nMK@V\n", (1, 3, 3), "'@' is not an amino acid letter"),
        (b">a\nMKV\r\n>b\r\nMK-V\r\n", (2, 4, 3), "'-' is not an amino acid letter: leave out an alignment's gaps"),
        (b">a\rM\r>b\rM K\t1\r", (2, 4, 5), f"'1' is not an amino acid letter: {NUMBERS}"),
        (b">a\nM\x00K", (1, 2, 2), "a NUL byte, which no text file has"),
        (b">a\nM\xe9K", (1, 2, 2), r"'\xe9' is not an amino acid letter: save the text as UTF-8 (or ASCII)"),
        (
            b">a\nM\xc3\xa9K",
            (1, 2, 2),
            "U+00E9 (latin small letter e with acute) is not an amino acid letter",
        ),
        (b">a\nM\xc2\xa0K", (1, 2, 2), "U+00A0 (no-break space) is not an amino acid letter: leave it out"),
        (b">a\nM\x7f", (1, 2, 2), r"'\x7f' is not an amino acid letter"),
        (b">a\nMK>b\nMK", (1, 2, 3), "'>' inside a sequence line"),
        (b">a\nMK\n  >b\n  MK>", (2, 4, 5), "'>' inside a sequence line"),
        (b"  >a\n  MK\n  >b\0", (2, 3, 5), "NUL byte in a header"),
        (b"\t>a\n\t>b\nMK", (1, 1, None), "a record with no residues"),
        (b"MKV\nM_V", (1, 2, 2), "'_' is not an amino acid letter"),
        (b"\xef\xbb\xbfMK@", (1, 1, 3), "'@' is not an amino acid letter"),
        (b"\n MKV\n>a\nM", (0, 2, 2), "text before the first '>'"),
        (b"@r\nMK\n>a\nM", (0, 1, 1), "text before the first '>'"),
        (b">a\nMK;note\nM", (1, 2, 3), "';' is not an amino acid letter. Put comments on their own lines"),
        (b"#a\n>a\n;b\nM\n !c\n\nM-K", (1, 7, 2), "'-' is not an amino acid letter: leave out an alignment's gaps"),
        (b">a\n;M\n>b\nM", (1, 1, None), "a record with no residues"),
        (b"# STOCKHOLM 1.0\nM", (1, 1, 1), "this looks like a Stockholm alignment: write it as FASTA, without gaps"),
        (b";a\n#b\n", (None, None, None), "no sequence found"),
        (b">a\nM\n>b\0c\nM", (2, 3, 3), "NUL byte in a header"),
        (b">a\nM\n>b\n\n \n>c\nM", (2, 3, None), "a record with no residues"),
        (b">a\nM\n>b", (2, 3, None), "a record with no residues"),
        (b">", (1, 1, None), "a record with no residues"),
        (b"", (None, None, None), "no sequence found"),
        (b" \r\n\n\t", (None, None, None), "no sequence found"),
        (b"\xef\xbb\xbf", (None, None, None), "no sequence found"),
    ],
)
def test_fault_is_placed(text: bytes, where: tuple[int | None, ...], detail: str):
    error = fault(text)
    assert ((error.record, error.line, error.column), error.detail) == (where, detail)


def test_what_stands_before_the_first_header_is_in_no_record():
    assert str(fault(b"```\n>a\nMKV\n```")) == "q.fa: line 1, column 1: text before the first '>'"


def test_first_of_several_faults_is_reported():
    assert place(b">a\nM1\n>b\n>c\nM2\n") == (1, 2, 2)


def test_written_record_reads_back():
    record = Record("a b c", b"ACDEFGHIKLM")
    assert write_fasta(record, width=4) == ">a b c\nACDE\nFGHI\nKLM\n"
    assert read_fasta(write_fasta(record).encode()) == [record]


LETTERS = st.text("ABCXYZabcxyz*", min_size=1, max_size=30)


@given(st.lists(LETTERS, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n", "\r"]), st.integers(1, 8))
def test_any_wrapping_and_line_end_gives_the_same_records(sequences: list[str], end: str, width: int):
    records = [Record(f"r{number} é", letters.encode()) for number, letters in enumerate(sequences)]
    text = "".join(write_fasta(record, width) for record in records).replace("\n", end)
    assert read_fasta(text.encode()) == records


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(text: bytes):
    try:
        records = read_fasta(text)
    except FastaFormatError:
        return
    assert records
    assert all(record.id and record.residues for record in records)


@given(st.lists(st.sampled_from([b">", b"\n", b"\r", b" ", b"M", b"-", b";", b"\0", b"a"]), max_size=25).map(b"".join))
def test_a_fault_is_found_whenever_there_is_one(text: bytes):
    """The quick check and the line by line search agree: no 'no sequence found' for text that has letters."""
    try:
        read_fasta(text)
    except FastaFormatError as error:
        if error.detail == "no sequence found":
            assert not any(line.strip()[:1].strip(b";#!") for line in text.replace(b"\r", b"\n").split(b"\n"))
        else:
            assert error.line is not None


@pytest.mark.parametrize("piece", [b">\n", b"\n>a", b">a\nM\n", b"\r", b" ", b";", b"M", b"\n \n", b"\n >", b"\n>P1;"])
def test_much_of_the_worst_takes_no_more_than_linear_time(piece: bytes):
    text = b">a\nM\n" + piece * (400_000 // len(piece))
    start = time.process_time()
    with suppress(FastaFormatError):
        read_fasta(text)
    assert time.process_time() - start < 5
