"""Our tables and FASTA as an external reader, Biopython, understands them."""

import io
import re

import pytest
from Bio import SearchIO, SeqIO

from shardwater.cpu import CpuEngine
from shardwater.fasta import Record
from shardwater.report import STANDARD_COLUMNS, btop, parse_columns, write_fasta_hits, write_tab
from shardwater.results import DatabaseSize, DatabaseUsed, Query, Searched, assemble
from shardwater.search import Parameters, find_hits


def text(pieces):
    return "".join(pieces)


@pytest.fixture
def real(build):
    """A real search's result and its database: two queries with hits, of which some are not aligned, one without."""
    letters = "MKVLAAGIWCHEAGAWGHEEDNQRSTYFPMKVLAAGIWCHEAGAWGHEEDNQRSTYFPKLMWWCCHH"
    subjects = [("s0 whole", letters), ("s1 part", letters[5:40]), ("s2 gap", letters[:30] + letters[34:])]
    subjects += [("s3 more", "AAA" + letters[:20] + "GG" + letters[20:50]), ("s4 lower", letters.lower()[10:])]
    database = build([*subjects, ("s5 other", "G" * 30)])
    queries = [
        Record("q1 the first", letters.encode()),
        Record("q2", b"PPPP"),
        Record("q3 the third", letters[8:48].encode()),
    ]
    parameters = Parameters(evalue=1e-3)
    shard = database.shard(0, 1)
    engine = CpuEngine(1)
    engine.load(shard)
    found = find_hits(engine, shard, queries, parameters)
    size = DatabaseSize(len(database), database.manifest.residues)
    searched = Searched("abc", DatabaseUsed("d", "1", "0"), size, parameters, tuple(map(Query.of, queries)))
    return assemble(searched, [found]), database


def check_as_biopython_reads_it(found, one):
    """Biopython's coordinates are 0-based and half-open."""
    assert [hit.id for hit in found] == [hit.accession for hit in one.hits]
    for read, hit in zip(found, one.hits, strict=True):
        [wanted], [hsp] = hit.hsps, read.hsps
        assert (hsp.query_start, hsp.query_end) == (wanted.query_from - 1, wanted.query_to)
        assert (hsp.hit_start, hsp.hit_end) == (wanted.hit_from - 1, wanted.hit_to)
        assert hsp.aln_span == wanted.align_len
        assert hsp.ident_pct == pytest.approx(hit.identity, abs=5e-4)
        pairs = list(zip(wanted.qseq.upper(), wanted.hseq.upper(), strict=True))
        assert hsp.mismatch_num == sum(q != s and "-" not in (q, s) for q, s in pairs)
        assert hsp.gapopen_num == len(re.findall("-+", wanted.qseq)) + len(re.findall("-+", wanted.hseq))
        assert hsp.evalue == pytest.approx(hit.evalue, rel=5e-3)
        assert hsp.bitscore == pytest.approx(hit.bits, abs=1)


def test_biopython_reads_the_table(real):
    result, _ = real
    read = list(SearchIO.parse(io.StringIO(text(write_tab(result, STANDARD_COLUMNS))), "blast-tab"))
    first, none, third = result.results
    assert none.hits == ()
    assert [found.id for found in read] == ["q1", "q3"]
    check_as_biopython_reads_it(read[0], first)
    check_as_biopython_reads_it(read[1], third)
    assert len(first.hits) == 5


def test_biopython_reads_the_table_with_comments(real):
    result, _ = real
    columns = parse_columns("std qlen slen score nident positive gaps ppos stitle btop qseq sseq")
    table = text(write_tab(result, columns, comments=True))
    read = list(SearchIO.parse(io.StringIO(table), "blast-tab", comments=True))
    assert [found.id for found in read] == ["q1", "q2", "q3"]
    assert [found.description for found in read] == ["the first", None, "the third"]
    for found, one in zip(read, result.results, strict=True):
        check_as_biopython_reads_it(found, one)
        for hit, read_hit in zip(one.hits, found, strict=True):
            [wanted], [hsp] = hit.hsps, read_hit.hsps
            assert (read_hit.seq_len, found.seq_len) == (hit.length, one.query.length)
            assert (hsp.bitscore_raw, hsp.ident_num, hsp.pos_num, hsp.gap_num) == (
                *(hit.score, wanted.identity, wanted.positive, wanted.gaps),
            )
            assert hsp.btop == btop(wanted)
            assert (str(hsp.query.seq), str(hsp.hit.seq)) == (wanted.qseq, wanted.hseq)


def test_biopython_reads_the_fasta_of_hits(real):
    result, database = real
    read = list(SeqIO.parse(io.StringIO(text(write_fasta_hits(result, database))), "fasta"))
    assert [record.id for record in read] == [hit.accession for hit in result.results[0].hits]
    for record in read:
        assert str(record.seq).encode() == database.sequence(database.find(record.id))
