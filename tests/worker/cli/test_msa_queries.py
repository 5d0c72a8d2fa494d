"""Queries of MSAs, read one by one: chains and complexes, and what is wrong with them."""

import gzip
import io
from pathlib import Path

import pytest

from shardwater.errors import FastaFormatError
from worker.cli.msa_queries import Query, QueryFile, QueryForm, opened_queries


def read(text: str | bytes, form: QueryForm = "fasta") -> list[Query]:
    content = text.encode() if isinstance(text, str) else text
    return list(QueryFile(io.BufferedReader(io.BytesIO(content)), "q.fa", form))  # type: ignore[arg-type]


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
        ("", "fasta", "no sequence found"),
        ("MKV", "fasta", "line 1, column 1: text before"),
        (">a\nMK\n>b\nMKV:MK1\n", "fasta", "record 2, line 4, column 7: '1' is no letter"),
        (">a\n\n>b\nMK\n", "fasta", "record 1, line 1: a record with no residues"),
        (">a\nMK:\n:V\n", "fasta", "record 1, line 1: a chain with no residues"),
        (">a\nMK\n>b\0c\nMK\n", "fasta", "record 2, line 3, column 3: NUL"),
        ("\n", "complexes", "no complex found"),
        ('{"chains": ["MK"]}\n{"chains": []}', "complexes", "line 2: chains: 1 or more"),
        ('{"chains": ["MK"], "name": "x"}', "complexes", "line 1: name: there is no such parameter"),
        ('{"chains": ["MK", "MK1"]}', "complexes", "line 1: complex 1, chain 2: record 1, line 1, column 3: '1'"),
        ("MKV\n", "complexes", "line 1: Invalid JSON"),
    ],
)
def test_what_is_wrong_has_its_place(text: str, form: QueryForm, words: str) -> None:
    with pytest.raises(FastaFormatError) as error:
        read(text, form)
    assert str(error.value).startswith("q.fa: ")
    assert words in str(error.value)


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
