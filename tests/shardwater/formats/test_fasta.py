from dataclasses import replace

import pytest

from shardwater.database.joined import Joined
from shardwater.errors import DatabaseError
from shardwater.formats.fasta import fasta_parts, fasta_text, write_fasta_hits
from shardwater.search.databases import SearchedDatabase, together
from shardwater.search.merge import QueryResult
from tests.support.example_results import QUERY, STATISTICS, UNALIGNED, result_of, text


def found_in(database, result):
    """The result, of a search of this database."""
    searched = (SearchedDatabase.of(database.manifest),)
    return replace(result, database=together(searched), databases=searched)


def test_fasta_of_a_sequence_has_60_letters_a_line():
    assert fasta_text("s1 a title", b"a" * 61) == f">s1 a title\n{'a' * 60}\na\n"
    assert fasta_text("s1", b"a" * 60) == f">s1\n{'a' * 60}\n"
    assert "".join(fasta_parts("s1", [b"a" * 120, b"a" * 60, b"c"])) == fasta_text("s1", b"a" * 180 + b"c")


def test_fasta_of_hits_has_each_subject_once_with_the_letters_it_came_with(build):
    database = build([("s1 first  one", "mkvU*"), ("s2", "MKV"), ("s3 long", "Ac" * 40)])
    hits = [replace(UNALIGNED, accession=accession, title="") for accession in ("s3", "s1", "s3", "s2")]
    result = result_of(QueryResult(QUERY, STATISTICS, tuple(hits[:2])), QueryResult(QUERY, STATISTICS, tuple(hits[2:])))
    assert text(write_fasta_hits(found_in(database, result), Joined.of([database]))) == (
        f">s3 long\n{'Ac' * 30}\n{'Ac' * 10}\n>s1 first  one\nmkvU*\n>s2\nMKV\n"
    )


def test_query_whose_hits_are_all_there_already_is_a_piece_all_the_same(build):
    database = build([("s1", "MKV")])
    one = QueryResult(QUERY, STATISTICS, (replace(UNALIGNED, accession="s1"),))
    pieces = write_fasta_hits(found_in(database, result_of(one, one, one)), Joined.of([database]))
    assert list(pieces) == [">s1\nMKV\n", "", "", ""]


def test_sequences_of_another_database_are_refused(build):
    result = result_of(QueryResult(QUERY, STATISTICS, (UNALIGNED,)))
    with pytest.raises(DatabaseError, match=r"^database swiss, version 2026_01 is not the one that was searched$"):
        write_fasta_hits(result, Joined.of([build([("s1", "MKV")], name="swiss")]))


def test_sequence_that_is_not_there_is_missed(build):
    database = build([("s1", "MKV")])
    result = result_of(QueryResult(QUERY, STATISTICS, (replace(UNALIGNED, accession="s2"),)))
    with pytest.raises(DatabaseError, match="sequence s2 was found in it, and is not there"):
        text(write_fasta_hits(found_in(database, result), Joined.of([database])))
