"""Text checked in pieces: what the reader of whole records takes is accepted, the rest has the same fault's place."""

import tracemalloc
from io import BufferedReader, BytesIO
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.errors import FastaFormatError, LimitExceeded
from shardwater.sequences.alphabets import ALPHABETS, DNA, PROTEIN, Alphabet
from shardwater.sequences.checking import Checked, SequenceBounds, SequenceCheck
from shardwater.sequences.reads import COMMENT_IN_FASTQ, NO_HEADER, NO_QUALITY, OTHER_READ, guess_alphabet, read_records
from tests.fuzz.cases import cases

WIDE = SequenceBounds(10**6, 10**8)


def check(text: bytes, alphabet: Alphabet | None = None, cuts: tuple[int, ...] = (), bounds: SequenceBounds = WIDE):
    """What a text holds, taken in pieces that are cut at these places."""
    checking = SequenceCheck("it", alphabet, bounds)
    places = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    for begin, end in pairwise(places):
        checking.take(text[begin:end])
    return checking.close()


def read(text: bytes, alphabet: Alphabet | None = None) -> Checked:
    """The same by the reader of records."""
    records = list(read_records(BufferedReader(BytesIO(text)), "it"))
    alphabet = alphabet or guess_alphabet(records)
    letters = [record.letters(alphabet, "r") for record in records]
    [kind] = [name for name, each in ALPHABETS.items() if each is alphabet]
    return Checked(kind, len(records), sum(len(each.letters) for each in letters))


def verdict(judge, *given) -> Checked | tuple:
    try:
        return judge(*given)
    except FastaFormatError as error:
        return error.detail, error.record, error.line, error.column


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b">a\nMKV\nLA\n>b\n\nW*\n", Checked("protein", 2, 7)),
        (b">a\r\nACGT\r\nAC GU\rN", Checked("dna", 1, 9)),
        (b"\xef\xbb\xbf\n \n>a\nacgtn", Checked("dna", 1, 5)),
        (b">a\n>b\n", Checked("protein", 2, 0)),
        (b">a\nMK\n \t>b > c\nL\n", Checked("protein", 2, 3)),
        (b">a\n" + b"A" * 9 + b"R", Checked("dna", 1, 10)),
        (b">a\n" + b"A" * 8 + b"RY", Checked("protein", 1, 10)),
        (b">a\n" + b"A" * 99 + b"E", Checked("protein", 1, 100)),
        (b"@r1 x\nACGT\n+\n@@@@\n\n@r2\nAC\n+r2\n>>\n", Checked("dna", 2, 6)),
        (b"@r\r\n\r\n+\r\n\r\n", Checked("protein", 1, 0)),
        (b";c\n>a\nMK\n#>b\n \t!x\nL\n", Checked("protein", 1, 3)),
        (b"@r x\nACGT\n+r\n#!;I\n@s\nAC\n+\n;>\n", Checked("dna", 2, 6)),
        (b"@r x\nACGT\n +r x \n IIII \n", Checked("dna", 1, 4)),
        (b"@r\n AC \tGT\n+\nIIII\n", Checked("dna", 1, 4)),
        (b"#a\n# STOCKHOLM\n>a\nMK\n# STOCKHOLM 1.0\nL\n", Checked("protein", 1, 3)),
    ],
)
def test_whole_texts_are_counted_and_their_alphabet_guessed(text: bytes, found: Checked) -> None:
    assert check(text) == found == read(text)
    # A byte order mark is in the first piece, whole.
    assert check(text, cuts=tuple(range(3, len(text)))) == found


@pytest.mark.parametrize(
    ("text", "detail", "place"),
    [
        (b"", "no sequence found", (None, None, None)),
        (b" \n\t", "no sequence found", (None, None, None)),
        (b"\n\n  MKV\n", NO_HEADER, (None, 3, 3)),
        (b">a\nMKV\n>b\nMK\nM1K\n", "'1' is no letter of protein", (2, 5, 2)),
        (b">a\nM-K\n", "'-' is no letter of protein: leave out an alignment's gaps", (1, 2, 2)),
        (b">a\nMK>V\n", "'>' is no letter of protein", (1, 2, 3)),
        (b">a\nMK >b\n", "'>' is no letter of protein", (1, 2, 4)),
        (b"@r\n  AC-\n+\nIII\n", "'-' is no letter of protein: leave out an alignment's gaps", (1, 2, 5)),
        (b"@r\nA C\n+\nIII\n", "a FASTQ record with 3 qualities for 2 letters", (1, 4, 3)),
        (b"@r\nACGT\n+\nIII\n", "a FASTQ record with 3 qualities for 4 letters", (1, 4, 4)),
        (b"@r\nAC\nGT\n+\nIIII\n", "a FASTQ record has '+' on its third line, and its letters on one line", (1, 3, 1)),
        (b"@r\nAC\n+s\nII\n", OTHER_READ, (1, 3, 1)),
        (b"@r\nAC\n+\nII\n@r x\nAC\n+rx\nII\n", OTHER_READ, (2, 7, 1)),
        (b"@r\nACGT\n+\nI\x07II\n", NO_QUALITY, (1, 4, 2)),
        (b"@r\nACGT\n+\n\tII I\n", NO_QUALITY, (1, 4, 4)),
        (b"@r\nACGT\n+\nIII\xff\n", NO_QUALITY, (1, 4, 4)),
        (b";c\n@r\nAC\n+\nII\n", COMMENT_IN_FASTQ, (None, 2, 1)),
        (b"@r\nAC\n+\nII\n@s\nAC\n", "the file ends within a FASTQ record", (2, 6, 1)),
        (b"@r\nAC\n+\nII\nr\n", "a FASTQ record begins with '@', and has its letters on one line", (2, 5, 1)),
    ],
)
def test_fault_has_its_place(text: bytes, detail: str, place: tuple[int | None, ...]) -> None:
    assert verdict(check, text) == (detail, *place)
    assert verdict(read, text) == (detail, *place)
    # What begins a text that has no header tells what it is.
    if detail not in (NO_HEADER, COMMENT_IN_FASTQ):
        assert verdict(check, text, None, tuple(range(len(text)))) == (detail, *place)


@pytest.mark.parametrize("comments", [b"#c\n", b"\n;c\n \t!c\r\n", b"# STOCKHOL\n"])
def test_reads_after_comments_are_refused_wherever_pieces_are_cut(comments: bytes) -> None:
    text = comments + b"@r\nAC\n+\nII\n"
    place = (COMMENT_IN_FASTQ, None, comments.count(b"\n") + 1, 1)
    for cut in range(len(comments) + 1):
        assert verdict(check, text, None, (cut,)) == place
    assert verdict(check, text, None, tuple(range(len(text)))) == place


def test_letter_of_a_protein_in_dna_says_so() -> None:
    assert verdict(check, b">a\nACGE", DNA) == ("'E' is no letter of DNA: this looks like a protein", 1, 2, 4)
    assert check(b">a\nACGT", PROTEIN) == Checked("protein", 1, 4)


PIECES = st.sampled_from(
    [
        *(b">", b"@", b"+", b"\n", b"\r", b" ", b"ACGT", b"MKE", b"A", b"I", b"-", b"r1", b"\n>a\n"),
        *(b";", b"#", b"\n!", b"\x07", b"+r1\n"),
        *(b"@r\nAC\n+\nII\n", b"@r\nACGT\n+\nIIII\n@s\n"),
    ]
)
TEXTS, CUTS = st.lists(PIECES, max_size=30).map(b"".join), st.lists(st.integers(0, 120), max_size=6)


@cases(600)
@given(TEXTS, CUTS, st.sampled_from([None, DNA, PROTEIN]))
def test_pieces_cut_anywhere_are_as_the_whole(text: bytes, cuts: list[int], alphabet: Alphabet | None) -> None:
    # The first piece tells what is no FASTA at all.
    whole = verdict(check, text, alphabet)
    assert verdict(check, text, alphabet, tuple(cuts)) == whole
    assert isinstance(verdict(read, text, alphabet), Checked) == isinstance(whole, Checked)
    # Of FASTQ one sees a fault of letters first, the other a fault of lines.
    if isinstance(whole, Checked) or not text.lstrip().startswith(b"@"):
        assert verdict(read, text, alphabet) == whole


def test_record_that_passes_the_bound_does_not_depend_on_cuts() -> None:
    text = 10 * b"@a\nA\n+\nI\n"
    for cut in range(len(text)):
        with pytest.raises(LimitExceeded, match=r"is 3, the limit is 2, which record 3 is the first"):
            check(text, None, (cut,), SequenceBounds(2, 4))


@pytest.mark.parametrize("cuts", [(), tuple(range(60))])
def test_bounds_name_the_record_that_passes_them(cuts: tuple[int, ...]) -> None:
    bounds = SequenceBounds(2, 4)
    for text, name, actual, record in (
        (b">a\nA\n>b\nA\n>c\nA\n", "max_upload_records", 3, 3),
        (b">a\nA\n>b\nAC\nGTA\n", "max_upload_letters", 5, 2),
        (b">a\nA\n>b\nACGTACGT-\n", "max_upload_letters", 5, 2),
        (b"@a\nA\n+\nI\n@b\nACGTA\n+\nIIIII\n", "max_upload_letters", 5, 2),
        (3 * b"@a\nA\n+\nI\n", "max_upload_records", 3, 3),
        (10 * b"@a\nA\n+\nI\n", "max_upload_records", 3, 3),
    ):
        with pytest.raises(LimitExceeded) as caught:
            check(text, None, cuts, bounds)
        assert (caught.value.name, caught.value.actual, caught.value.record) == (name, actual, record)
    assert check(b">a\nACGT\n>b\nAC GT\n", None, cuts, bounds) == Checked("dna", 2, 8)


def test_header_has_a_bound() -> None:
    fault = ("a header longer than 65,536 bytes", 1, 1, 1)
    for text in (b">%s\nA", b"@%s\nA\n+\nI\n", b" >%s\nA"):
        for judge in (check, read):
            assert judge(text % (65_535 * b"x")).records == 1
            assert verdict(judge, text % (65_536 * b"x")) == fault
        assert verdict(check, text % (65_536 * b"x"), None, (9, 60_000, 65_000)) == fault
    assert verdict(read, b">a\nA\n >%s\n" % (65_536 * b"x")) == (fault[0], 2, 3, 1)
    assert verdict(check, b">a\nA\n >%s\n" % (65_536 * b"x")) == (fault[0], 2, 3, 1)


def test_long_record_takes_no_memory() -> None:
    checking, piece = SequenceCheck("it", None, WIDE), 10_000 * (99 * b"A" + b"\n")
    checking.take(b">long\n")
    tracemalloc.start()
    for _ in range(40):
        checking.take(piece)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * len(piece)
    assert checking.close() == Checked("dna", 1, 99 * 10_000 * 40)
