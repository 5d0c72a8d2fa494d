"""A query's hits in its columns, as Biopython and our own readers of MSAs read them."""

import io
import tracemalloc
from dataclasses import replace

import pytest
from Bio import AlignIO

from shardwater.formats.anchored import ANCHORED, write_anchored
from shardwater.formats.msas.a3m import read_a3m
from shardwater.formats.msas.aligned_fasta import read_aligned_fasta
from shardwater.formats.msas.stockholm import read_stockholm
from shardwater.search.merge import QueryResult
from shardwater.sequences.fasta import Record
from tests.support.example_results import (
    FOUND,
    LONG,
    NOTHING,
    QUERY,
    RESULT,
    STATISTICS,
    STRANGE,
    TWICE,
    UNALIGNED,
    result_of,
)
from tests.support.msas import rows_of

LETTERS = "MKLACDEFGHIKLMNPQRSTVWYACFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWYHEAGA".ljust(101, "W")
WHOLE = Record("q1 my query", LETTERS.encode())
SEVERAL = QueryResult(QUERY, STATISTICS, (TWICE, UNALIGNED))


def written(name, *results, queries=()):
    return b"".join(write_anchored(name, result_of(*results), queries)).decode()


def columns_of(alignment):
    """Where the query, which is first, has a letter."""
    return [place for place, letter in enumerate(alignment[0].seq) if letter != "-"]


@pytest.mark.parametrize(("name", "form"), [("aligned-fasta", "fasta"), ("stockholm", "stockholm")])
def test_biopython_reads_each_alignment_in_the_querys_columns(name, form):
    alignment = AlignIO.read(io.StringIO(written(name, SEVERAL, queries=[WHOLE])), form)
    assert [row.id for row in alignment] == ["q1", "sp|P1|A/101-164", "sp|P1|A/10-13"]
    assert str(alignment[0].seq).replace("-", "") == LETTERS
    columns = columns_of(alignment)
    for row, hsp in zip(alignment[1:], TWICE.hsps, strict=True):
        shown = "".join(row.seq[place] for place in columns)
        pairs = zip(hsp.qseq, hsp.hseq, strict=True)
        expected = "".join(subject for query, subject in pairs if query != "-")
        assert shown == ("-" * (hsp.query_from - 1) + expected).ljust(len(LETTERS), "-")
    # What the subject has in between stands in columns of its own, where the query has gaps.
    assert alignment.get_alignment_length() == len(LETTERS) + 2
    assert str(alignment[1].seq).replace("-", "") == LONG.hseq.replace("-", "")
    assert alignment[1].description.endswith("Alpha, the first")


def test_a3m_has_in_small_letters_what_is_inserted():
    found = read_a3m(io.BytesIO(written("a3m", SEVERAL, queries=[WHOLE]).encode()))
    assert found.query.residues.decode() == LETTERS
    assert found.a3m(0) == b"----ACDEFGHIKLMNPQRSTVWYACdeFGHIKLMNPQ-STVWYACDEFGHIKLMNPQRSTVWYHDAGA" + b"-" * 34
    assert [row.name for row in found] == ["sp|P1|A", "sp|P1|A"]


def test_the_files_say_what_was_searched_as_those_of_msas_do():
    readers = {"a3m": read_a3m, "aligned-fasta": read_aligned_fasta, "stockholm": read_stockholm}
    for name in ANCHORED:
        found = readers[name](io.BytesIO(written(name, SEVERAL, queries=[WHOLE]).encode()))
        assert found.provenance.certificate.subjects == 1234
        assert found.provenance.parameters["evalue"] == RESULT.parameters.evalue
        assert [row.rstrip(b"-") for row in rows_of(found)][1:] == [b"--KLAC"]


@pytest.mark.parametrize(
    "queries",
    [[], [Record("other my query", LETTERS.encode())], [Record("q1", LETTERS[:50].encode())]],
    ids=["nobody tells", "another id", "another length"],
)
def test_letters_of_the_query_that_nobody_tells_are_x(queries):
    alignment = AlignIO.read(io.StringIO(written("stockholm", FOUND, queries=queries)), "stockholm")
    assert str(alignment[0].seq).replace("-", "") == f"XXXX{LONG.qseq.replace('-', '')}".ljust(101, "X")


def test_several_queries_are_several_alignments():
    queries = [WHOLE, Record("q2", b"M" * 30)]
    read = list(AlignIO.parse(io.StringIO(written("stockholm", FOUND, NOTHING, queries=queries)), "stockholm"))
    assert [[row.id for row in each] for each in read] == [["q1", "sp|P1|A/101-164"], ["q2"]]
    assert str(read[1][0].seq) == "M" * 30
    for name in ("aligned-fasta", "a3m"):
        first, second = written(name, FOUND, NOTHING, queries=queries).split("\n\n")
        assert first.startswith(">q1 my query ")
        assert first.count(">") == 2
        assert second.startswith(">q2 ")
        assert second.endswith(f"\n{'M' * 30}\n")


@pytest.mark.parametrize("name", ANCHORED)
def test_text_of_strangers_breaks_no_line(name):
    lines = written(name, STRANGE).splitlines()
    assert all(line.isprintable() for line in "".join(lines).split("\t"))
    if name == "a3m":
        return
    form = "stockholm" if name == "stockholm" else "fasta"
    alignment = AlignIO.read(io.StringIO("\n".join(lines)), form)
    assert [len(alignment), alignment[1].id] == [2, "=x,[y]_%/101-164"]


def test_subjects_of_several_databases_have_names_of_their_own():
    twins = tuple(replace(hit, rank=rank, database=f"db{rank}") for rank, hit in enumerate((TWICE, TWICE), start=1))
    alignment = AlignIO.read(io.StringIO(written("aligned-fasta", QueryResult(QUERY, STATISTICS, twins))), "fasta")
    names = [row.id for row in alignment]
    assert len(names) == len(set(names)) == 5


@pytest.mark.parametrize("name", ANCHORED)
def test_one_query_at_a_time_stands_in_memory(name):
    hits = tuple(replace(TWICE, rank=rank, accession=f"P{rank}") for rank in range(1, 301))

    def peak(queries):
        report = replace(RESULT, results=(replace(FOUND, hits=hits) for _ in range(queries)))
        tracemalloc.start()
        try:
            for _ in write_anchored(name, report):
                pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    # What is loaded or kept for good comes with the first.
    peak(2)
    assert peak(12) < 1.3 * peak(2)


@pytest.mark.parametrize("name", ANCHORED)
def test_many_hits_take_little_beside_their_letters(name):
    columns, count = 400, 4000
    letters = "ACDEFGHIKL" * (columns // 10)
    ends = {"query_from": 1, "query_to": columns, "hit_from": 1, "hit_to": columns, "align_len": columns, "gaps": 0}
    hsp = replace(LONG, **ends, qseq=letters, midline=letters, hseq=letters, cigar=f"{columns}=")
    hits = tuple(replace(TWICE, rank=rank, accession=f"P{rank}", hsps=(hsp,)) for rank in range(1, count + 1))
    report = result_of(replace(FOUND, query=replace(QUERY, length=columns), hits=hits))
    tracemalloc.start()
    try:
        written = sum(map(len, write_anchored(name, report)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert written > columns * count
    assert peak < 8 * columns * count
