from dataclasses import replace

from shardwater.formats.fasta import fasta_text, write_fasta_hits
from shardwater.results import QueryResult
from tests.shardwater.formats.examples import QUERY, STATISTICS, UNALIGNED, result_of, text


def test_fasta_of_a_sequence_has_60_letters_a_line():
    assert fasta_text("s1 a title", b"a" * 61) == f">s1 a title\n{'a' * 60}\na\n"
    assert fasta_text("s1", b"a" * 60) == f">s1\n{'a' * 60}\n"


def test_fasta_of_hits_has_each_subject_once_with_the_letters_it_came_with(build):
    database = build([("s1 first  one", "mkvU*"), ("s2", "MKV"), ("s3 long", "Ac" * 40)])
    hits = [replace(UNALIGNED, accession=accession, title="") for accession in ("s3", "s1", "s3", "s2")]
    result = result_of(QueryResult(QUERY, STATISTICS, tuple(hits[:2])), QueryResult(QUERY, STATISTICS, tuple(hits[2:])))
    assert text(write_fasta_hits(result, database)) == (
        f">s3 long\n{'Ac' * 30}\n{'Ac' * 10}\n>s1 first  one\nmkvU*\n>s2\nMKV\n"
    )
