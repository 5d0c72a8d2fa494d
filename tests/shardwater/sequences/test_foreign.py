"""What is no FASTA: recognised in the bytes as they are, and in text that a client or a front end has decoded."""

import bz2
import gzip
import json
import lzma
import random
from functools import partial
from pathlib import Path

import pytest

from shardwater.database.build import build_database
from shardwater.errors import FastaFormatError
from shardwater.sequences.fasta import read_fasta
from shardwater.sequences.foreign import is_words
from tests.support.demo import DEMO

TEXT = ">q1 a protein\nMKISANSIRTGNILVYNNDLWVVSK\n"
GENBANK = """LOCUS       NP_000509                147 aa            linear   PRI 01-JAN-2024
DEFINITION  hemoglobin subunit beta [Homo sapiens].
ORIGIN
        1 mvhltpeeks avtalwgkvn vdevggealg rllvvypwtq rffesfgdls
//
"""
UNIPROT = "ID   HBB_HUMAN               Reviewed;         147 AA.\nAC   P68871;\nSQ   SEQUENCE   147 AA;\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (TEXT.encode("utf-16"), "UTF-16 text: save it as UTF-8"),
        (TEXT.encode("utf-16-le"), "UTF-16 text: save it as UTF-8"),
        (TEXT.encode("utf-16-be"), "UTF-16 text: save it as UTF-8"),
        (TEXT.replace("\n", "\r\n").encode("utf-16"), "UTF-16 text: save it as UTF-8"),
        ("\ufeffMKVLAAGW".encode("utf-16-le"), "UTF-16 text: save it as UTF-8"),
        (gzip.compress(TEXT.encode(), mtime=0), "a gzip file: unpack it"),
        (bz2.compress(TEXT.encode()), "a bzip2 file: unpack it"),
        (lzma.compress(TEXT.encode()), "an xz file: unpack it"),
        (b"PK\x03\x04\x14\x00\x06\x00word/document.xml", "a zip file, as Word and Excel"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "a PDF file"),
        (b"{\\rtf1\\ansi MKV}", "an RTF file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a Word or Excel file"),
        (GENBANK.encode(), "a GenBank file: get the entry as FASTA"),
        (UNIPROT.encode(), "a UniProt or EMBL entry: get the entry as FASTA"),
        (b"CLUSTAL O(1.2.4)\n\na  MK-V\n", "a Clustal alignment"),
        (b"# STOCKHOLM 1.0\na  MK-V\n//\n", "a Stockholm alignment"),
        (b"  <!DOCTYPE html>\n<html><body>", "an HTML page"),
        (b"<HTML><body>", "an HTML page"),
        (b"<?xml version='1.0'?>", "XML"),
        (json.dumps({"sequence": "MKV"}).encode(), "JSON"),
        (b"@read/1\nACGT\n+\nIIII\n", "FASTQ, reads of DNA"),
        (b"P12345", "an accession: its sequence is needed"),
        (b" A0A024R1R8.2\n", "an accession: its sequence is needed"),
        (b"NP_000509.1", "an accession: its sequence is needed"),
        (b"sp|P10105|LAB_DROME", "an accession: its sequence is needed"),
        (b"gi|4504349|ref|NP_000509.1|", "an accession: its sequence is needed"),
    ],
)
def test_what_it_looks_like_is_said_with_what_to_do(text: bytes, name: str):
    for given in (text, text.decode("utf-8", "replace").encode()):
        with pytest.raises(FastaFormatError) as caught:
            read_fasta(given)
        assert caught.value.detail.startswith(f"this looks like {name}")
        assert caught.value.line == 1


@pytest.mark.parametrize("text", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\x7fELF\2\1\1\0xyz", b"MKVLAAG\0W"])
def test_what_is_no_text_is_said_to_be_none(text: bytes):
    wanted = "this is no text file: sequences in FASTA are needed"
    for given in (text, text.decode("utf-8", "replace").encode()):
        with pytest.raises(FastaFormatError) as caught:
            read_fasta(given)
        assert (caught.value.detail, caught.value.line) == (wanted, 1)


@pytest.mark.parametrize(
    "text", [b"P10105\nQ12816\r\nNP_000509.1\n", b"sp|P10105|LAB_DROME, P10105;Q12816", b" P10105\tQ12816 " * 900]
)
def test_several_accessions_are_told_from_numbered_lines(text: bytes):
    with pytest.raises(FastaFormatError, match="these look like accessions: their sequences are needed"):
        read_fasta(text)


@pytest.mark.parametrize(
    "text",
    [
        b">P1;CRAB\nsome title\nMKISANSIRT\nGNILVYNN*\n",
        b"\n>f1;CRAB\r\ntitle\r\n  MKISANSIRT*\r\n\r\n>P1;B\r\nother\r\nMKV*",
        b">P1;1fas\nstructureX:1fas: 1 :A: 61 :A:::1.90:\nMKISA--NSIRT*\n",
        b">P1;CRAB\nalpha crystallin\nMKISA * \nC;Species: man\n",
    ],
)
def test_a_title_of_pir_is_not_taken_for_residues(text: bytes, tmp_path: Path):
    (tmp_path / "x.pir").write_bytes(text)
    reading = partial(read_fasta, text), partial(build_database, [tmp_path / "x.pir"], tmp_path / "data", name="db")
    for read in reading:
        with pytest.raises(FastaFormatError, match=r"this looks like PIR .NBRF., which has a title between") as caught:
            read()
        assert (caught.value.record, caught.value.column) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        b">P1;CRAB no title\nMKISANSIRT*\n",
        b">P1;CRAB\n\nMKISANSIRT\nGNIL*\n",
        b">P1;CRAB\nMKISANSIRT\nGNIL\n",
        b"CLUSTALMKV",
        b"ID   MKVLAAGW",
        b">@read\nMKVL\n",
        b"LOCUSMKVL",
        b">P12345\nMKVL",
        b"\xef\xbb\xbf>a\nMKVL",
        b"BZhMK",
    ],
)
def test_sequences_that_begin_like_something_else_are_read(text: bytes):
    assert read_fasta(text)


def test_fault_of_a_file_that_is_fasta_is_its_own():
    with pytest.raises(FastaFormatError) as caught:
        read_fasta(b">a [Homo sapiens] <html>\nMK@\n")
    assert caught.value.detail == "'@' is not an amino acid letter"


@pytest.mark.parametrize(
    "text",
    [
        *("hemoglobin alpha human", "insulin human", "INSULIN HUMAN", "alpha amylase", "heat shock protein 70"),
        *("Hemoglobin subunit alpha (Homo sapiens), P69905", "p53 tumor suppressor", "spike protein\nSARS-CoV-2"),
    ],
)
def test_words_are_no_sequence(text: str):
    with pytest.raises(FastaFormatError, match="this looks like words, not a sequence") as caught:
        read_fasta(text.encode())
    assert (caught.value.record, caught.value.line) == (1, 1)
    assert read_fasta(f">query\n{'hemoglobin alpha human'}".encode())[0].residues == b"hemoglobinalphahuman"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "MKISANSIRT GNILVYNNDL WVVSK",
            "mkisansirt gnilvynndl\nwvvsktpeht qpgkg",
            "mki san sir tgn il",
            "ACGU ACGU GGCCU",
        ),
        *(
            "Met Lys Ile Ser",
            "KLVFFAE GSNKGAIIGLM",
            "MKISANS IRTG NILVYN",
            "hemoglobin",
            "insulin\nactin",
            "mkvla agwde",
        ),
        # Glutathione peroxidase has one selenocysteine, and is no word for that.
        "MCAARLAAAAAAAQSVYAFSARPLAGGEPVSLGSLRGK VLLIENVASLUGTTVRDYTQMNELQRRLGPR",
    ],
)
def test_sequences_with_blanks_are_read_as_ever(text: str):
    assert read_fasta(text.encode())[0].residues == "".join(text.split()).encode()


def test_real_sequences_in_pieces_are_no_words():
    chance = random.Random(1)
    with gzip.open(DEMO / "proteins.fasta.gz") as proteins:
        records = read_fasta(proteins.read())
    for record in records:
        begin = chance.randrange(record.length)
        letters = record.residues[begin : begin + chance.choice((12, 25, 60, 600))]
        ends = [*sorted(chance.choices(range(1, len(letters) + 1), k=len(letters) // 8)), len(letters)]
        pieces = [letters[first:last] for first, last in zip([0, *ends], ends, strict=False)]
        assert not is_words(b" ".join(pieces))
        tens = b" ".join(letters[at : at + 10] for at in range(0, len(letters), 10))
        assert not is_words(tens)
        assert not is_words(tens.lower())


@pytest.mark.parametrize("text", [b"e\t\x01", b"hemoglobin\x00 alpha", b"alpha beta\x7f"])
def test_a_control_character_is_the_fault_and_not_the_words_around_it(text: bytes) -> None:
    assert not is_words(text)
    with pytest.raises(FastaFormatError) as caught:
        read_fasta(text)
    assert (caught.value.record, caught.value.line) == (1, 1)
    assert caught.value.column == 1 + next(at for at, byte in enumerate(text) if byte < 9 or byte == 0x7F)
