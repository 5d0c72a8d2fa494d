"""Each format has one writer and one media type."""

from app.responses.result_formats import FORMATS
from shardwater.formats.anchored import ANCHORED
from shardwater.formats.writers import FORMAT_NAMES, NUMBERS, TABLES, WRITERS

WRITTEN_ELSEWHERE = {"json", "ndjson", "fasta", *ANCHORED}


def test_every_name_is_a_format_or_the_number_of_one() -> None:
    assert {*FORMATS, *NUMBERS} == {*FORMAT_NAMES}
    assert {*NUMBERS.values(), *TABLES} <= {*FORMATS}


def test_every_format_is_written() -> None:
    assert {*WRITERS, *WRITTEN_ELSEWHERE} == {*FORMATS}
