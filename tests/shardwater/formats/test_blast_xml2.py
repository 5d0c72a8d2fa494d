"""BLAST XML 2 says what BLAST's JSON says; Biopython, which knows every element of it, reads it."""

import io
import json
import math
from dataclasses import replace
from pathlib import Path

import Bio
import pytest
from Bio import Blast
from lxml import etree

from shardwater.formats.blast_json import write_blast_json
from shardwater.formats.blast_xml2 import write_xml2
from shardwater.search.merge import QueryResult
from tests.support.example_results import (
    ALIGNED,
    FOUND,
    LONG,
    NO_STATISTICS,
    NOTHING,
    QUERY,
    RESULT,
    STRANGE,
    one_hit,
    result_of,
    text,
)

# NCBI's own files, which Biopython brings along.
SCHEMA = Path(Bio.__file__).with_name("Entrez") / "XSDs" / "NCBI_BlastOutput2.xsd"
SPACE = "{http://www.ncbi.nlm.nih.gov}"


@pytest.fixture(scope="module")
def schema():
    return etree.XMLSchema(etree.parse(str(SCHEMA)))


def read(result):
    """Each query's part as Biopython reads it, which loses the last one of a short document with several."""
    parts = [result_of(one) for one in result.results]
    return [Blast.read(io.BytesIO(text(write_xml2(part)).encode())) for part in parts]


def plain(element):
    """An element's content as format 15 has it: types taken off, lists told from objects by their items' type."""
    children = list(element)
    if not children:
        return element.text or ""
    if [child.tag for child in children] == [children[0].tag] * len(children) and children[0].tag[len(SPACE)].isupper():
        items = [plain(child) for child in children]
        return items if etree.QName(element).localname in ("hits", "hsps", "description") else items[0]
    return {etree.QName(child).localname.replace("-", "_"): plain(child) for child in children}


def known(value):
    """JSON's content as it is in XML: numbers as text, null left out, no empty lists."""
    match value:
        case dict():
            return {key: known(member) for key, member in value.items() if member is not None and key != "message"}
        case list():
            return [known(item) for item in value] or ""
        case _:
            return str(value)


def test_every_element_is_that_of_the_json():
    root = etree.fromstring(text(write_xml2(RESULT)).encode())
    outputs = json.loads(text(write_blast_json(RESULT)))["BlastOutput2"]
    assert [plain(output) for output in root] == [known(output) for output in outputs]


def test_biopython_reads_what_was_found():
    first, second = read(RESULT)
    assert (first.query.id, first.query.description, len(first.query.seq)) == ("Query_1", "q1 my query", 101)
    hit, found = first[0], RESULT.results[0].hits[0]
    assert (hit.target.id, len(hit.target.seq)) == (found.accession, found.length)
    assert (hit[0].score, hit[0].annotations["evalue"]) == (found.score, found.evalue)
    assert (len(second), second.stat["db-num"]) == (0, 1234)


def test_strange_letters_do_not_break_it():
    [record] = read(result_of(STRANGE))
    assert record.query.description == "a<b>&c@d \"quoted\" & 'so' é "
    assert [hit.target.id for hit in record] == ["=x,[y]é%"]


NO_FIGURES = QueryResult(QUERY, NO_STATISTICS, (replace(ALIGNED, bits=None, evalue=None, hsps=(LONG,)),))
FITTED = replace(FOUND, statistics=replace(NO_STATISTICS, method="fitted"))


@pytest.mark.parametrize(
    "queries", [(FOUND,), (NOTHING,), (FOUND, NOTHING, STRANGE), (FITTED,), (NO_FIGURES,), (NO_FIGURES, FITTED)]
)
def test_document_is_valid_by_ncbis_schema(schema, queries):
    document = etree.fromstring(text(write_xml2(result_of(*queries))).encode())
    assert schema.validate(document), schema.error_log


def test_schema_tells_valid_from_invalid(schema):
    document = etree.fromstring(text(write_xml2(RESULT)).encode())
    entropy = next(document.iter(f"{SPACE}entropy"))
    entropy.getparent().remove(entropy)
    assert not schema.validate(document)


def test_figures_that_are_not_there_are_no_numbers():
    [record] = read(result_of(NO_FIGURES))
    assert record[0][0].score == 310
    assert [math.isnan(record[0][0].annotations[name]) for name in ("bit score", "evalue")] == [True, True]
    assert [record.stat[name] for name in ("kappa", "lambda", "entropy")] == [-1, -1, -1]


def test_alignment_rows_keep_their_blanks():
    [record] = read(one_hit(ALIGNED))
    assert record[0][0].annotations["midline"] == LONG.midline
