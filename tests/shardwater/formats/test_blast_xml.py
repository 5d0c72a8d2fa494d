"""BLAST XML: valid by NCBI's document type, and with every number of the result."""

import math
from dataclasses import replace
from pathlib import Path

import Bio
import pytest
from lxml import etree

from shardwater.formats.blast_xml import write_xml
from shardwater.search.merge import QueryResult
from shardwater.search.parameters import Parameters
from tests.support.example_results import (
    ALIGNED,
    FOUND,
    LONG,
    NO_STATISTICS,
    NOTHING,
    QUERY,
    RESULT,
    STRANGE,
    UNALIGNED,
    result_of,
    text,
)

# NCBI's own files, which Biopython brings along.
DTD = Path(Bio.__file__).with_name("Entrez") / "DTDs" / "NCBI_BlastOutput.dtd"


@pytest.fixture(scope="module")
def dtd():
    return etree.DTD(str(DTD))


def read(result):
    return etree.fromstring(text(write_xml(result)).encode())


@pytest.mark.parametrize(
    "queries", [(FOUND,), (NOTHING,), (FOUND, NOTHING, STRANGE), (replace(FOUND, statistics=NO_STATISTICS),)]
)
def test_document_is_valid(dtd, queries):
    document = read(result_of(*queries))
    assert dtd.validate(document), dtd.error_log


def test_document_type_tells_valid_from_invalid(dtd):
    document = read(RESULT)
    document.remove(document.find("BlastOutput_program"))
    assert not dtd.validate(document)


def test_document_names_its_type():
    document = read(RESULT).getroottree().docinfo
    assert document.public_id == "-//NCBI//NCBI BlastOutput/EN"
    assert document.encoding == "UTF-8"


def values(element):
    return {child.tag.partition("_")[2]: child.text for child in element if not len(child) and child.text.strip()}


def test_search_is_described_at_the_top():
    root = read(result_of(FOUND, NOTHING, parameters=Parameters("PAM30", 9, 1, evalue=0.01)))
    assert values(root) == {
        "program": "blastp",
        "version": "Shardwater 1.2.3",
        "reference": root.findtext("BlastOutput_reference"),
        "db": "swiss 2026_01",
        "query-ID": "Query_1",
        "query-def": "q1 my query",
        "query-len": "101",
    }
    assert values(root.find(".//Parameters")) == {
        "matrix": "PAM30",
        "expect": "0.01",
        "gap-open": "9",
        "gap-extend": "1",
        "filter": "F",
    }


def test_each_query_is_an_iteration_with_its_statistics():
    first, second = read(RESULT).iter("Iteration")
    assert [values(one) for one in (first, second)] == [
        {"iter-num": "1", "query-ID": "Query_1", "query-def": "q1 my query", "query-len": "101"},
        {"iter-num": "2", "query-ID": "Query_2", "query-def": "q2", "query-len": "30", "message": "No hits found"},
    ]
    # BLAST+ 2.12 says 64 of a query and a database of these sizes.
    assert values(first.find(".//Statistics")) == {
        "db-num": "1234",
        "db-len": "456789",
        "hsp-len": "64",
        "eff-space": "123456",
        "kappa": "0.041",
        "lambda": "0.267",
        "entropy": "0.14",
    }


def test_hit_and_hsp_have_all_numbers_with_all_digits():
    [hit, unaligned] = read(RESULT).iter("Hit")
    assert values(hit) == {
        "num": "1", "id": "sp|P1|A", "def": "Alpha, the first", "accession": "sp|P1|A", "len": "300",
    }  # fmt: skip
    [hsp] = hit.iter("Hsp")
    assert values(hsp) == {
        "num": "1",
        "bit-score": "123.98",
        "score": "310",
        "evalue": "1.7e-30",
        "query-from": "5",
        "query-to": "67",
        "hit-from": "101",
        "hit-to": "164",
        "query-frame": "0",
        "hit-frame": "0",
        "identity": "61",
        "positive": "62",
        "gaps": "3",
        "align-len": "65",
        "qseq": LONG.qseq,
        "hseq": LONG.hseq,
        "midline": LONG.midline,
    }
    assert list(unaligned.iter("Hsp")) == []


def test_merged_records_are_written_as_blast_does():
    [hit] = read(result_of(QueryResult(QUERY, NO_STATISTICS, (UNALIGNED,)))).iter("Hit")
    assert (hit.findtext("Hit_id"), hit.findtext("Hit_def")) == ("P2", "beta chain >sp|P3 gamma")


def test_letters_with_a_meaning_in_xml_come_through():
    root = read(result_of(STRANGE))
    assert root.findtext(".//Iteration_query-def") == "a<b>&c@d \"quoted\" & 'so' é "
    assert root.findtext(".//Hit_def") == '<b> & "c" é ]]> >gb|Z1 more & <less>'


def test_figures_that_there_are_not_are_nan():
    bare = replace(ALIGNED, bits=None, evalue=None, hsps=(LONG,))
    root = read(result_of(QueryResult(QUERY, NO_STATISTICS, (bare,))))
    assert math.isnan(float(root.findtext(".//Hsp_bit-score")))
    assert math.isnan(float(root.findtext(".//Hsp_evalue")))
    constants = [
        root.findtext(f".//Statistics_{name}") for name in ("hsp-len", "eff-space", "kappa", "lambda", "entropy")
    ]
    assert constants == ["0", "0", "-1", "-1", "-1"]
