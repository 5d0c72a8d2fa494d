"""Queries of MSAs, read one by one: chains and complexes, and what is wrong with them."""

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest

from shardwater.errors import FastaFormatError
from shardwater.sequences import reads
from shardwater.sequences.fasta import read_fasta
from worker.cli.msa_queries import Query, QueryFile, QueryForm, opened_queries
from worker.jobs.msa_requests import MsaRequest, distinct


def read(text: str | bytes | io.BytesIO, form: QueryForm = "fasta") -> list[Query]:
    content = text.encode() if isinstance(text, str) else text
    return list(QueryFile(content if isinstance(content, io.BytesIO) else io.BytesIO(content), "q.fa", form))


def told(queries: list[Query]) -> list[tuple[int, str, list[tuple[str, bytes]]]]:
    return [(one.number, one.id, [(chain.header, chain.residues) for chain in one.chains]) for one in queries]


def test_a_record_is_a_chain_or_has_colons_between_chains() -> None:
    text = "\ufeff>a first\r\nMK V\r\nlw\r\n> \r\nMKL\r\n>c of two\r\nMKV:\r\nWWC :LL\r\n"
    assert told(read(text)) == [
        (1, "a", [("a first", b"MKVlw")]),
        (2, "query_2", [("query_2", b"MKL")]),
        (3, "c", [("c_1 of two", b"MKV"), ("c_2 of two", b"WWC"), ("c_3 of two", b"LL")]),
    ]
    assert told(read(gzip.compress(text.encode()))) == told(read(text))


def test_a_stop_at_the_end_of_a_chain_is_left_out() -> None:
    assert told(read(">a\nMK*V*\n>b\nMKL*:WW**\n>c\n*\n")) == [
        (1, "a", [("a", b"MK*V")]),
        (2, "b", [("b_1", b"MKL"), ("b_2", b"WW")]),
        (3, "c", [("c", b"*")]),
    ]
    [complex_] = read('{"id": "x", "chains": ["MKV*", ">b\\nMKL*"]}', "complexes")
    assert [chain.residues for chain in complex_.chains] == [b"MKV", b"MKL"]
    asked = MsaRequest.model_validate({"queries": ">a\nMKV*\n>b\nmkv\n", "databases": ["demo"]})
    assert distinct(asked.complexes()) == {b"MKV": 0}


def test_a_line_is_a_complex() -> None:
    text = '\ufeff{"id": "x/y", "chains": ["mkv", ">b its own\\nMKL"]}\n\n{"chains": ["WW"]}'
    expected = [
        (1, "x/y", [("x/y_1", b"mkv"), ("b its own", b"MKL")]),
        (2, "complex_2", [("complex_2_1", b"WW")]),
    ]
    assert told(read(text, "complexes")) == expected
    assert told(read(gzip.compress(text.encode()), "complexes")) == expected


@pytest.mark.parametrize(
    ("text", "form", "words"),
    [
        (">a\nMK\n>b\nMKV:MK1\n", "fasta", "record 2, line 4, column 7: '1' is not an amino acid letter"),
        (">a\nMK:\n:V\n", "fasta", "record 1, line 1: a chain with no residues"),
        ("MK::V", "fasta", "record 1, line 1: a chain with no residues"),
        ("\n", "complexes", "no complex found"),
        ('{"chains": ["MK"]}\n{"chains": []}', "complexes", "line 2: chains: 1 or more"),
        ('{"chains": ["MK"], "name": "x"}', "complexes", "line 1: name: there is no such parameter"),
        ('{"chains": ["MK", "MK1"]}', "complexes", "line 1: complex 1, chain 2: record 1, line 1, column 3: '1'"),
        ('{"chains": ["MK", 3]}', "complexes", "line 1: chain 2: text is needed"),
        ('["MK"]', "complexes", "line 1: a JSON object is needed"),
        ("MKV\n", "complexes", "line 1: it is not JSON"),
    ],
)
def test_what_is_wrong_has_its_place(text: str, form: QueryForm, words: str) -> None:
    with pytest.raises(FastaFormatError) as error:
        read(text, form)
    assert str(error.value).startswith("q.fa: ")
    assert words in str(error.value)


FAULTY = {
    "nothing": b"",
    "blanks": b"\n \n",
    "FASTQ": b"@read 1\nACGT\n+\nIIII\n",
    "no-break space": b">a\nMK\n>b\nMK\xc2\xa0V\n",
    "GenBank's numbers": b">a\n        1 mkvl wwc\n",
    "no residues": b">a\n\n>b\nMK\n",
    "NUL": b">a\nMK\n>b\0c\nMK\n",
    "no header at first": b"MK\n>b\nMKV\n",
    "comment": b"#c\n>a\n;new\nMK;x\n",
    "long header": b">" + b"x" * 70_000 + b"\nMK\n",
    "PIR": b">P1;x\nTITLE\nMKV*\n",
    "UTF-16": "MKV".encode("utf-16"),
    "bare": b"MKV LLW-K",
    "accession": b"P12345\n",
}


@pytest.mark.parametrize("piece", [1 << 18, 100])
@pytest.mark.parametrize("text", FAULTY.values(), ids=FAULTY)
def test_what_a_search_refuses_is_refused_in_the_same_words(
    text: bytes, piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "PIECE", piece)
    with pytest.raises(FastaFormatError) as expected:
        read_fasta(text, file="q.fa")
    for content in (text, gzip.compress(text)):
        with pytest.raises(FastaFormatError) as error:
            read(content)
        assert str(error.value) == str(expected.value)


@pytest.mark.parametrize(
    "text", [b"MKV\r\nLL w\n", b"\n  >a b\n MKV\t\n\n>c\nMK", b"\xef\xbb\xbf>\nmkv*", b">a \xff\nMK"]
)
def test_what_a_search_takes_is_taken_as_it_is(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "PIECE", 5)
    assert [one.chains for one in read(text)] == [(record.without_stop(),) for record in read_fasta(text)]


def test_a_bare_sequence_may_be_a_complex() -> None:
    assert told(read("MKV:\nWWC")) == [(1, "query_1", [("query_1_1", b"MKV"), ("query_1_2", b"WWC")])]


def test_what_is_no_fasta_is_not_held_in_memory() -> None:
    text = b"@read\nACGT\n+\nIIII\n" * 500_000
    tracemalloc.start()
    try:
        with pytest.raises(FastaFormatError, match="looks like FASTQ"):
            read(io.BytesIO(text))
        assert tracemalloc.get_traced_memory()[1] < len(text) // 2
    finally:
        tracemalloc.stop()


def test_odd_queries_are_told_before_anything_is_searched_for(capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        f">a\nM\n>dna\n{'ACGT' * 10}\n>c\n{'MKV' * 10}:{'ACGT' * 10}\n>d \ufffd\n{'MKV' * 10}\n>e\nMK\n>f\nMK\n>g\nMK\n"
    )
    checked = QueryFile(io.BytesIO(text.encode()), "q.fa", "fasta").checked()
    assert (checked.queries, checked.complexes) == (7, True)
    warnings = [line.removeprefix("shardwater: warning: ") for line in capsys.readouterr().err.splitlines()]
    begins = [
        "query 1 (a): it is short (1 residue)",
        "query 2 (dna): 100 % of its letters are A, C, G, T, U or N",
        "query 3 (c), chain 2: 100 % of its letters",
        "query 4 (d): its header has letters that were not UTF-8",
        "query 5 (e): it is short (2 residues)",
        "2 more warnings",
    ]
    assert [line[: len(begin)] for line, begin in zip(warnings, begins, strict=True)] == begins
    # There is no such parameter here.
    assert "PAM30" not in warnings[0]


def test_damaged_gzip_is_told() -> None:
    with pytest.raises(FastaFormatError, match="truncated gzip"):
        read(gzip.compress(b'{"chains": ["MK"]}\n')[:-4], "complexes")


def test_a_file_is_known_by_what_it_asks_for(tmp_path: Path) -> None:
    def digest(content: bytes) -> tuple[int, str]:
        (tmp_path / "q").write_bytes(content)
        with opened_queries(tmp_path / "q", "fasta") as queries:
            checked = queries.checked()
            # It is read again from its beginning.
            assert queries.checked() == checked
        return checked.queries, checked.digest

    plain = digest(b">a\nMKV\n>b\nMKL\n")
    assert plain[0] == 2
    assert plain == digest(gzip.compress(b">a\r\nMK\r\nV\n>b\nMKL\n"))
    assert plain != digest(b">a\nMKV\n>b\nMKI\n")
    assert plain != digest(b">a\nMKV\n>c\nMKL\n")


def test_a_query_has_a_name_that_a_terminal_can_show() -> None:
    assert read(">\x1b[31mred\nMK")[0].called == "query 1 (\N{REPLACEMENT CHARACTER}[31mred)"
    assert read(f">{'x' * 5000}\nMK")[0].called == f"query 1 ({'x' * 60}...)"
