from dataclasses import replace

import pytest

from shardwater.msa import stacking
from shardwater.msa.stacking import organisms_of, stacked
from shardwater.sequences.fasta import Record
from tests.support.example_results import ALIGNED, LONG, UNALIGNED
from tests.support.msas import MEMBERS, QUERY, ROWS, rows_of


def test_each_alignment_of_each_hit_is_a_row():
    [one] = stacking.rows_of([ALIGNED, UNALIGNED])
    assert (one.header, one.length, one.score) == ("sp|P1|A Alpha, the first", 300, 310)
    assert one.hsp == ALIGNED.hsps[0]
    further = replace(LONG, score=90, bits=40.5, evalue=1e-5)
    _, other = stacking.rows_of([replace(ALIGNED, hsps=(LONG, further))])
    assert (other.hsp, other.score, other.bits, other.evalue) == (further, 90, 40.5, 1e-5)


def test_a_hit_is_laid_along_the_query():
    query = Record("q", b"A" * 101)
    msa = stacked(query, stacking.rows_of([ALIGNED]))
    [row] = rows_of(msa)
    assert row == b"----ACDEFGHIKLMNPQRSTVWYACdeFGHIKLMNPQ-STVWYACDEFGHIKLMNPQRSTVWYHDAGA" + b"-" * 34
    told = msa.row(0)
    assert (told.query_start, told.query_end, told.subject_start, told.subject_end) == (4, 67, 100, 164)
    assert (told.gaps, told.gap_opens, told.columns, told.identical) == (3, 2, 65, 61)


def test_taxa_of_hits_are_those_of_rows():
    known = replace(ALIGNED, taxid=9606, organism="Homo sapiens")
    hits = [known, replace(known, organism=None), replace(known, taxid=562, organism=None)]
    hits.append(replace(ALIGNED, taxid=None, organism=None))
    assert [each.taxid for each in stacking.rows_of(hits)] == [9606, 9606, 562, 0]
    assert organisms_of(hits) == {9606: "Homo sapiens"}


def test_the_querys_letters_are_capitals():
    assert stacked(Record("q", b"mk*u"), ()).query.residues == b"MKXU"


@pytest.mark.parametrize("together", [1, 2, 3])
def test_rows_are_the_same_however_they_are_gathered(monkeypatch, together):
    monkeypatch.setattr(stacking, "TOGETHER", together)
    msa = stacked(QUERY, MEMBERS)
    assert rows_of(msa) == list(ROWS)
    assert [row.score for row in msa] == [50, 50, 50, 20]
