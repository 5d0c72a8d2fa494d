from dataclasses import replace

import pytest

from shardwater.formats.titles import Name, names_of, one_line, query_name
from tests.support.example_results import QUERY, UNALIGNED


@pytest.mark.parametrize(
    ("accession", "title", "names"),
    [
        ("P1", "", [Name("P1", "")]),
        ("P1", "a  title", [Name("P1", "a  title")]),
        ("P1", "one\x01P2 two words\x01P3", [Name("P1", "one"), Name("P2", "two words"), Name("P3", "")]),
        ("P1\x01P2", "two", [Name("P1", ""), Name("P2", "two")]),
        ("P1", "one\x01", [Name("P1", "one"), Name("", "")]),
    ],
)
def test_records_that_a_subject_stands_for(accession, title, names):
    assert names_of(replace(UNALIGNED, accession=accession, title=title)) == names


def test_one_line_has_blanks_for_what_cannot_be_printed():
    assert one_line("a\tb\nc\x01d\x7f é ü") == "a b c d  é ü"


def test_name_of_a_query_is_its_header():
    assert query_name(QUERY) == "q1 my query"
    assert query_name(replace(QUERY, title="")) == "q1"
