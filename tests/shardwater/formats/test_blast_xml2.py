"""BLAST XML 2 says what BLAST's JSON says; Biopython, which knows every element of it, reads it."""

import io
import json
from dataclasses import replace

from Bio import Blast
from lxml import etree

from shardwater.formats.blast_json import write_blast_json
from shardwater.formats.blast_xml2 import write_xml2
from shardwater.results import QueryResult
from tests.shardwater.formats.examples import (
    ALIGNED,
    LONG,
    NO_STATISTICS,
    QUERY,
    RESULT,
    STRANGE,
    one_hit,
    result_of,
    text,
)

SPACE = "{http://www.ncbi.nlm.nih.gov}"


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


def test_figures_that_are_not_there_are_left_out_but_for_those_of_the_statistics():
    hit = replace(ALIGNED, bits=None, evalue=None)
    written = text(write_xml2(result_of(QueryResult(QUERY, NO_STATISTICS, (hit,)))))
    assert "<score>310</score>" in written
    assert [word for word in ("None", "bit-score", "evalue") if word in written] == []
    for name in ("kappa", "lambda", "entropy"):
        assert f"<{name}>-1</{name}>" in written


def test_alignment_rows_keep_their_blanks():
    [record] = read(one_hit(ALIGNED))
    assert record[0][0].annotations["midline"] == LONG.midline
