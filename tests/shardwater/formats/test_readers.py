"""What other programs' readers find in our formats is what the result says, number for number."""

import gzip
import io
import json
import math
import re
from itertools import islice

import pytest
from Bio import Align, Blast, SearchIO, SeqIO
from Bio.Blast import NCBIXML
from pyarrow import parquet

from shardwater.database.joined import Joined
from shardwater.engines.cpu import CpuEngine
from shardwater.formats.blast_json import write_blast_json
from shardwater.formats.blast_xml import write_xml
from shardwater.formats.columns import COLUMNS, STANDARD_COLUMNS, btop, parse_columns, rows_of
from shardwater.formats.fasta import write_fasta_hits
from shardwater.formats.parquet import write_parquet
from shardwater.formats.sam import write_sam
from shardwater.formats.table import write_tab
from shardwater.search.databases import SearchedDatabase
from shardwater.search.merge import Searched, assemble
from shardwater.search.parameters import Parameters
from shardwater.search.search import find_hits
from shardwater.sequences.fasta import Record, read_fasta
from tests.support.example_results import text


def search(database, queries, parameters):
    shard, engine = database.shard(0, 1), CpuEngine(1)
    engine.load(shard)
    found = find_hits(engine, shard, queries, parameters)
    return assemble(Searched("abc", (SearchedDatabase.of(database.manifest),), parameters, queries), [found])


@pytest.fixture
def small(build):
    """A search's result and its database: three queries, of which one has no hits; titles with all kinds of letters."""
    letters = "MKVLAAGIWCHEAGAWGHEEDNQRSTYFPMKVLAAGIWCHEAGAWGHEEDNQRSTYFPKLMWWCCHH"
    subjects = [("s0 whole <b> & \"c\" 'd' é", letters), ("s1 part", letters[5:40])]
    subjects += [("s2 gap, 100%", letters[:30] + letters[34:])]
    subjects += [("s3 more", "AAA" + letters[:20] + "GG" + letters[20:50]), ("s4 lower", letters.lower()[10:])]
    database = build([*subjects, ("s5 other", "G" * 30)])
    queries = [
        Record('q1 the <first> & "best" é', letters.encode()),
        Record("q2", b"PPPP"),
        Record("q3 the third", letters[8:48].encode()),
    ]
    result = search(database, queries, Parameters(evalue=1e-3, max_hsps=3))
    assert {len(hit.hsps) for one in result.results for hit in one.hits} == {2, 3}
    return result, database


@pytest.fixture
def swiss(shared, build):
    """swiss(parameters): the result of four real queries against 4,000 real proteins."""

    def make(**parameters):
        with gzip.open(shared / "sprot_part.fasta.gz", "rt") as file:
            records = islice(SeqIO.parse(file, "fasta"), 4000)
            database = build([(record.description, str(record.seq)) for record in records])
        queries = read_fasta((shared / "queries20.fasta").read_bytes())[:4]
        return search(database, queries, Parameters(max_target_seqs=20, **parameters))

    return make


@pytest.fixture(params=["small", "swiss", "partly aligned", "without statistics"])
def result(request):
    match request.param:
        case "small":
            found, _ = request.getfixturevalue("small")
            return found
        case "partly aligned":
            return request.getfixturevalue("swiss")(alignments=3)
        case "without statistics":
            return request.getfixturevalue("swiss")(statistics="none", gap_open=5, gap_extend=2)
        case _:
            return request.getfixturevalue("swiss")()


def aligned(one):
    """The hits that have an alignment, each with it."""
    return [(hit, hsp) for hit in one.hits for hsp in hit.hsps]


def test_there_is_something_to_read(result):
    assert sum(len(aligned(one)) for one in result.results) >= 5


def same(value, wanted):
    """Equal to the last digit; NaN stands for what there is not."""
    return math.isnan(value) if wanted is None else value == wanted


def test_biopython_reads_the_xml(result):
    read = list(SearchIO.parse(io.BytesIO(text(write_xml(result)).encode()), "blast-xml"))
    assert len(read) == len(result.results)
    for found, one in zip(read, result.results, strict=True):
        assert (found.id, found.description, found.seq_len) == (one.query.id, one.query.title, one.query.length)
        assert (found.program, found.target) == ("blastp", f"{result.database.name} {result.database.version}")
        both = [(hit, hsp) for hit in found for hsp in hit]
        for (hit, hsp), (wanted, alignment) in zip(both, aligned(one), strict=True):
            assert (hit.id, hit.description, hit.seq_len) == (wanted.accession, wanted.title, wanted.length)
            assert same(hsp.evalue, alignment.evalue)
            assert same(hsp.bitscore, alignment.bits)
            assert (hsp.bitscore_raw, hsp.aln_span) == (alignment.score, alignment.align_len)
            assert hsp.query_range == (alignment.query_from - 1, alignment.query_to)
            assert hsp.hit_range == (alignment.hit_from - 1, alignment.hit_to)
            assert (hsp.ident_num, hsp.pos_num, hsp.gap_num) == (alignment.identity, alignment.positive, alignment.gaps)
            assert (str(hsp.query.seq), str(hsp.hit.seq)) == (alignment.qseq, alignment.hseq)
            assert hsp.aln_annotation["similarity"] == alignment.midline


def test_biopythons_older_reader_reads_the_xml_with_hits_that_are_not_aligned(result):
    read = list(NCBIXML.parse(io.StringIO(text(write_xml(result)))))
    for found, one in zip(read, result.results, strict=True):
        assert found.query_letters == one.query.length
        assert [alignment.accession for alignment in found.alignments] == [hit.accession for hit in one.hits]
        for alignment, hit in zip(found.alignments, one.hits, strict=True):
            assert len(alignment.hsps) == len(hit.hsps)
            for hsp, wanted in zip(alignment.hsps, hit.hsps, strict=True):
                assert (hsp.score, hsp.identities, hsp.query_start, hsp.sbjct_end) == (
                    *(wanted.score, wanted.identity, wanted.query_from, wanted.hit_to),
                )


def test_biopythons_newer_reader_which_follows_the_document_type_reads_the_xml(result):
    with Blast.parse(io.BytesIO(text(write_xml(result)).encode())) as records:
        assert records.version == f"Shardwater {result.software.version}"
        for record, one in zip(records, result.results, strict=True):
            assert record.stat["db-num"] == result.certificate.subjects
            assert record.stat["eff-space"] == (one.statistics.eff_space or 0)
            for hit, wanted in zip(record, one.hits, strict=True):
                assert [found.score for found in hit] == [hsp.score for hsp in wanted.hsps]


def test_json_has_the_numbers(result):
    reports = json.loads(text(write_blast_json(result)))["BlastOutput2"]
    for each, one in zip(reports, result.results, strict=True):
        found = each["report"]["results"]["search"]
        for hit, wanted in zip(found["hits"], one.hits, strict=True):
            assert (hit["num"], hit["description"][0]["id"], hit["len"]) == (
                *(wanted.rank, wanted.accession, wanted.length),
            )
            for hsp, alignment in zip(hit["hsps"], wanted.hsps, strict=True):
                figures = hsp["bit_score"], hsp["evalue"], hsp["score"]
                assert figures == (alignment.bits, alignment.evalue, alignment.score)
                for name in ("query_from", "query_to", "hit_from", "hit_to", "identity", "positive", "gaps"):
                    assert hsp[name] == getattr(alignment, name)
                rows = (hsp["qseq"], hsp["midline"], hsp["hseq"], hsp["align_len"])
                assert rows == (alignment.qseq, alignment.midline, alignment.hseq, alignment.align_len)


def test_pyarrow_reads_the_parquet_table(result):
    table = parquet.read_table(io.BytesIO(b"".join(write_parquet(result, tuple(COLUMNS)))))
    rows = [row for one in result.results for row in rows_of(one)]
    assert table.to_pylist() == [{name: column.value(row) for name, column in COLUMNS.items()} for row in rows]
    for found, (query, hit, hsp) in zip(table.to_pylist(), rows, strict=True):
        assert (found["qseqid"], found["sseqid"]) == (query.id, hit.accession)
        figures = found["score"], found["evalue"], found["bitscore"]
        assert figures == ((hsp or hit).score, (hsp or hit).evalue, (hsp or hit).bits)


def test_biopython_reads_the_sam_lines(result):
    read = Align.parse(io.StringIO(text(write_sam(result))), "sam")
    wanted = [(one.query, hit, hsp) for one in result.results for hit, hsp in aligned(one)]
    for found, (query, hit, hsp) in zip(read, wanted, strict=True):
        assert (found.query.id, found.target.id, len(found.target)) == (query.id, hit.accession, hit.length)
        assert found.coordinates[0, [0, -1]].tolist() == [hsp.hit_from - 1, hsp.hit_to]
        assert found.query.seq == hsp.qseq.replace("-", "")
        rows = zip(hsp.qseq, hsp.hseq, strict=True)
        assert sum(step == 0 for step in steps(found)) == sum("-" in pair for pair in rows)
        assert found.annotations["ZR"] == hsp.score
        assert found.annotations.get("ZE") == hsp.evalue
        assert found.annotations["NM"] == hsp.align_len - hsp.identity
        assert getattr(found, "score", None) == (None if hsp.bits is None else int(hsp.bits))


def steps(alignment):
    """For each column of an alignment how many of its two sequences go on, less one."""
    for (target, query), (target_end, query_end) in zip(
        alignment.coordinates.T[:-1].tolist(), alignment.coordinates.T[1:].tolist(), strict=True
    ):
        both = target_end > target and query_end > query
        yield from [int(both)] * max(target_end - target, query_end - query)


def check_as_biopython_reads_it(found, one):
    """Biopython's coordinates are 0-based and half-open."""
    assert [hit.id for hit in found] == [hit.accession for hit in one.hits]
    both = [
        (hsp, wanted)
        for read, hit in zip(found, one.hits, strict=True)
        for hsp, wanted in zip(read.hsps, hit.hsps, strict=True)
    ]
    for hsp, wanted in both:
        assert (hsp.query_start, hsp.query_end) == (wanted.query_from - 1, wanted.query_to)
        assert (hsp.hit_start, hsp.hit_end) == (wanted.hit_from - 1, wanted.hit_to)
        assert hsp.aln_span == wanted.align_len
        assert hsp.ident_pct == pytest.approx(100 * wanted.identity / wanted.align_len, abs=5e-4)
        pairs = list(zip(wanted.qseq.upper(), wanted.hseq.upper(), strict=True))
        assert hsp.mismatch_num == sum(q != s and "-" not in (q, s) for q, s in pairs)
        assert hsp.gapopen_num == len(re.findall("-+", wanted.qseq)) + len(re.findall("-+", wanted.hseq))
        assert hsp.evalue == pytest.approx(wanted.evalue, rel=5e-3)
        assert hsp.bitscore == pytest.approx(wanted.bits, abs=1)


def test_biopython_reads_the_table(small):
    result, _ = small
    read = list(SearchIO.parse(io.StringIO(text(write_tab(result, STANDARD_COLUMNS))), "blast-tab"))
    first, none, third = result.results
    assert none.hits == ()
    assert [found.id for found in read] == ["q1", "q3"]
    check_as_biopython_reads_it(read[0], first)
    check_as_biopython_reads_it(read[1], third)
    assert len(first.hits) == 5


def test_biopython_reads_the_table_with_comments(small):
    result, _ = small
    columns = parse_columns("std qlen slen score nident positive gaps ppos stitle btop qseq sseq")
    table = text(write_tab(result, columns, comments=True))
    read = list(SearchIO.parse(io.StringIO(table), "blast-tab", comments=True))
    assert [found.id for found in read] == ["q1", "q2", "q3"]
    assert [found.description for found in read] == ['the <first> & "best" é', None, "the third"]
    for found, one in zip(read, result.results, strict=True):
        check_as_biopython_reads_it(found, one)
        for hit, read_hit in zip(one.hits, found, strict=True):
            assert (read_hit.seq_len, found.seq_len) == (hit.length, one.query.length)
            for wanted, hsp in zip(hit.hsps, read_hit.hsps, strict=True):
                assert (hsp.bitscore_raw, hsp.ident_num, hsp.pos_num, hsp.gap_num) == (
                    *(wanted.score, wanted.identity, wanted.positive, wanted.gaps),
                )
                assert hsp.btop == btop(wanted)
                assert (str(hsp.query.seq), str(hsp.hit.seq)) == (wanted.qseq, wanted.hseq)


def test_biopython_reads_the_fasta_of_hits(small):
    result, database = small
    read = list(SeqIO.parse(io.StringIO(text(write_fasta_hits(result, Joined.of([database])))), "fasta"))
    assert [record.id for record in read] == [hit.accession for hit in result.results[0].hits]
    for record in read:
        assert str(record.seq).encode() == database.sequence(database.find(record.id))
