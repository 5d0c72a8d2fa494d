"""read_records: FASTA and FASTQ as a stream, and where it says that a fault is."""

import gzip
from collections.abc import Iterator
from io import BufferedReader, BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shardwater.errors import FastaFormatError
from shardwater.sequences import reads
from shardwater.sequences.alphabets import DNA, PROTEIN, Alphabet
from shardwater.sequences.fasta import read_fasta
from shardwater.sequences.named import Letters
from shardwater.sequences.reads import MixedLetters, TextRecord, guess_alphabet, guess_shared_alphabet, read_records


def records(text: bytes) -> Iterator[TextRecord]:
    return read_records(BufferedReader(BytesIO(text)), "r.fa")


def letters(text: bytes, alphabet: Alphabet = DNA) -> list[Letters]:
    return [record.letters(alphabet, "read") for record in records(text)]


def fault(text: bytes, alphabet: Alphabet = DNA) -> FastaFormatError:
    with pytest.raises(FastaFormatError) as caught:
        letters(text, alphabet)
    assert caught.value.file == "r.fa"
    return caught.value


def test_fasta_on_several_lines() -> None:
    assert letters(b">a first\nACG\nTn\n\n>b\nuu\n") == [Letters("a", b"ACGTn"), Letters("b", b"uu")]


def test_fastq() -> None:
    assert letters(b"@a 1\nACGT\n+\nII@+\n@b\nTT\n+b\nII") == [Letters("a", b"ACGT"), Letters("b", b"TT")]


def test_line_ends_byte_order_mark_and_blank_lines_do_not_matter() -> None:
    wanted = [Letters("a", b"ACGT"), Letters("b", b"TT")]
    assert letters(b"\xef\xbb\xbf\n \n>a\r\nAC\r\nGT\r\n\r\n>b\r\nTT\r\n") == wanted
    assert letters(b">a\rACGT\r>b\rTT\r") == wanted
    assert letters(b"@a\r\nACGT\r\n+\r\nIIII\r\n\r\n@b\r\nTT\r\n+\r\nII\r\n\r\n") == wanted


def test_empty_sequences_are_records() -> None:
    assert letters(b">a\n>b\nAC\n>c") == [Letters("a", b""), Letters("b", b"AC"), Letters("c", b"")]
    assert letters(b"@a\n\n+\n\n@b\nAC\n+\nII\n") == [Letters("a", b""), Letters("b", b"AC")]


def test_header_may_be_indented() -> None:
    assert letters(b" >a x\nAC\n\t >b\nGT\n") == [Letters("a", b"AC"), Letters("b", b"GT")]


def test_record_without_a_name_is_called_by_its_number() -> None:
    assert [each.name for each in letters(b">\nAC\n> \nAC\n")] == ["read_1", "read_2"]


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 1000])
def test_pieces_of_a_file_may_end_anywhere(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "PIECE", piece)
    for text in (b">a x\r\nACG\r\nT\r\n>b\r\nTT\r\n", b"@a x\r\nACGT\r\n+\r\nIIII\r\n@b\r\nTT\r\n+\r\nII\r\n"):
        for packed in (text, gzip.compress(text), gzip.compress(text[:9]) + gzip.compress(text[9:])):
            assert letters(packed) == [Letters("a", b"ACGT"), Letters("b", b"TT")]


@given(st.lists(st.tuples(st.text("abc", min_size=1), st.text("ACGT\n ", max_size=30)), min_size=1))
def test_fasta_is_read_as_the_reader_of_queries_reads_it(sequences: list[tuple[str, str]]) -> None:
    text = "".join(f">{name}\nA{letters}\n" for name, letters in sequences).encode()
    assert [(each.name, each.letters) for each in letters(text)] == [
        (record.id, record.residues) for record in read_fasta(text)
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            b">a\nAC\n>b\nACGT\nAC EE\n",
            "r.fa: record 2, line 5, column 4: 'E' is no letter of DNA: this looks",
        ),
        (
            b"@a\nAC-T\n+\nIIII\n",
            "r.fa: record 1, line 2, column 3: '-' is no letter of DNA: leave out",
        ),
        (b">a\nAC\nA;x\n", "r.fa: record 1, line 3, column 2: ';' is no letter of DNA"),
        (b"#c\n>a\nAC\n;x\nA-\n", "r.fa: record 1, line 5, column 2: '-' is no letter of DNA: leave out"),
        (
            b"#c\n@a\nAC\n+\nII\n",
            "r.fa: line 2, column 1: a comment before this record: remove it, FASTQ has no comments",
        ),
        (b">a\nA\xc3\xa9\n", "r.fa: record 1, line 2, column 2: byte 195 is no letter of DNA"),
        (b"@a\n  AC-\n+\nIII\n", "r.fa: record 1, line 2, column 5: '-' is no letter of DNA: leave out"),
        (b"ACGT\n", "r.fa: line 1, column 1: text before the first header: a record begins with '>' (FASTA) or '@'"),
        (b"\n  ACGT\n>a\n", "r.fa: line 2, column 3: text before the first header"),
        (b"\n\nLOCUS       X\n", "r.fa: line 3, column 1: this looks like a GenBank file: get the entry as FASTA"),
        (b"\x89PNG\n\0\0", "r.fa: line 1, column 1: this is no text file: sequences in FASTA are needed"),
        (b">a\nAC\0T\n", "r.fa: record 1, line 2, column 3: a NUL byte, which no text file has"),
        (b"", "r.fa: no sequence found"),
        (b"\n \n", "r.fa: no sequence found"),
        (b"@a\nACGT\n+\nIII\n", "r.fa: record 1, line 4, column 4: a FASTQ record with 3 qualities for 4 letters"),
        (b"@a\nAC\n+\nII\n@b\nAC\n+\nIII\n", "r.fa: record 2, line 8, column 3: a FASTQ record with 3 qualities for 2"),
        (b"@a\nAC\nGT\n+\nIIII\n", "r.fa: record 1, line 3, column 1: a FASTQ record has '+' on its third line"),
        (b"@a\nAC\n+\nII\nAC\n+\nII\n", "r.fa: record 2, line 5, column 1: a FASTQ record begins with '@'"),
        (b"@a\nAC\n+\nII\n@b\nAC\n+\n", "r.fa: record 2, line 7, column 1: the file ends within a FASTQ record"),
        (b"@a\n", "r.fa: record 1, line 1, column 1: the file ends within a FASTQ record"),
    ],
)
def test_faults_have_their_place(text: bytes, message: str) -> None:
    assert str(fault(text)).startswith(message)


def test_protein_has_letters_that_dna_has_not() -> None:
    assert letters(b">a\nMKV*\n", PROTEIN) == [Letters("a", b"MKV*")]
    assert str(fault(b">a\nMK1\n", PROTEIN)) == "r.fa: record 1, line 2, column 3: '1' is no letter of protein"


def test_records_before_a_fault_are_read() -> None:
    found = records(b"@a\nAC\n+\nII\n@b\nAC\n")
    assert next(found).letters(DNA, "read") == Letters("a", b"AC")
    with pytest.raises(FastaFormatError):
        next(found)


def test_gzip_that_is_cut_or_damaged() -> None:
    packed = gzip.compress(b">a\n" + b"ACGT\n" * 1000)
    assert str(fault(packed[:-9])) == "r.fa: truncated gzip file"
    assert "corrupt gzip file" in str(fault(packed[:20] + bytes(9) + packed[29:]))


@pytest.mark.parametrize(
    ("text", "alphabet"),
    [
        (b">a\nACGTNNacgtu\n>b\nRYAAAAAAAAAAAAAAAAAAAA\n", DNA),
        (b">a\nMKVLAAGW\n", PROTEIN),
        # All are codes of IUPAC, and few are bases.
        (b">a\nMKVTSAGW\n", PROTEIN),
        # Nine in ten are bases, but E is none and no code.
        (b">a\nACGTACGTACGTACGTACGTE\n", PROTEIN),
        (b">a\n\n", PROTEIN),
    ],
)
def test_alphabet_is_guessed_from_the_letters(text: bytes, alphabet: Alphabet) -> None:
    assert guess_alphabet(records(text)) is alphabet


@pytest.mark.parametrize(
    ("queries", "subjects", "alphabet"),
    [
        (b">a\nACGT", b">b\nACGTN", DNA),
        (b">a\nMKVL", b">b\nWQEE", PROTEIN),
        (b">a\nACGT", b">b\n", DNA),
        (b">a\nMKVL", b">b\n\n", PROTEIN),
        # A letter that is no base of DNA makes it no protein: it will be named.
        (b">a\nACGT", b">b\nACGTACGTACGTACGTACGE", PROTEIN),
    ],
)
def test_two_lists_have_one_alphabet(queries: bytes, subjects: bytes, alphabet: Alphabet) -> None:
    assert guess_shared_alphabet(list(records(queries)), list(records(subjects))) is alphabet


@pytest.mark.parametrize("turned", [False, True])
def test_dna_and_proteins_are_not_taken_for_one(turned: bool) -> None:
    lists = [list(records(b">a\nACGTACGT")), list(records(b">b\nMKVLWQEE"))]
    with pytest.raises(MixedLetters, match="look like DNA and the" if not turned else "look like proteins and the"):
        guess_shared_alphabet(*lists[:: -1 if turned else 1])
