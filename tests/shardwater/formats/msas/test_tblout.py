"""HMMER's table of hits, as Biopython reads it."""

import io

from Bio import SearchIO

from shardwater.formats.msas.tblout import write_tblout
from tests.support.msas import MSA


def read(msa):
    text = b"".join(write_tblout(msa)).decode()
    return list(SearchIO.parse(io.StringIO(text), "hmmer3-tab"))


def test_a_parser_of_hmmers_reads_each_row():
    lines = b"".join(write_tblout(MSA)).decode().splitlines()
    assert [line.startswith("#") for line in lines] == [True, True, True, False, False, False, False]
    first, second, third, _ = (line.split(maxsplit=18) for line in lines[3:])
    assert (first[0], first[2], first[18]) == ("sp|P1|A_HUMAN", "q1", "Alpha OS=Homo sapiens OX=9606")
    assert (first[4:7], first[7:10]) == (["1e-05", "23.5", "0.0"], ["1e-05", "23.5", "0.0"])
    assert second[18] == "-"
    assert third[4:6] == ["-", "-"]


def test_biopython_reads_it():
    [found] = read(MSA.take([0, 1]))
    assert found.id == "q1"
    assert [(hit.id, hit.evalue, hit.bitscore, hit.domain_reported_num) for hit in found] == [
        ("sp|P1|A_HUMAN", 1e-5, 23.5, 1),
        ("P2", 0.25, 7.5, 1),
    ]


def test_without_a_row_it_has_a_head_alone():
    assert len(list(write_tblout(MSA.take([])))) == 3
