"""What a job's form of EBI's clients comes to as a search of ours."""

import pytest
from pydantic import ValidationError

from app.compat.ebi.results import Entry
from app.compat.ebi.tools import search_of, tool_of
from app.compat.fields import Fields
from app.problems import InvalidParameterError, NotHereError
from shardwater.errors import FastaFormatError
from worker.jobs.requests import SearchRequest

NEEDED = {"email": "a@b.org", "stype": "protein", "sequence": ">q\nMKVLAAG\n", "database": "demo"}
# What EBI's own ncbiblast.py and fasta.py send when they are told nothing else.
NCBIBLAST = {
    **{"program": "blastp", "task": "blastp", "matrix": "BLOSUM62", "alignments": "50", "scores": "50", "exp": "10"},
    **{"dropoff": "0", "gapopen": "-1", "gapext": "-1", "filter": "F", "gapalign": "true", "compstats": "F"},
    **{"align": "0", "transltable": "1"},
}
FASTA = {
    **{"program": "ssearch", "hsps": "false", "explowlim": "0", "hist": "false", "scores": "50", "alignments": "50"},
    **{"scoreformat": "default", "stats": "1", "annotfeats": "false", "filter": "none", "transltable": "1"},
}


def search(tool: str, **fields: str) -> SearchRequest:
    return search_of(tool_of(tool), Fields((NEEDED | fields).items()))


def costs(asked: SearchRequest) -> tuple[str, int | None, int | None]:
    return asked.matrix, asked.gap_open, asked.gap_extend


def test_their_scripts_defaults_will_do() -> None:
    blast, fasta = search("ncbiblast", **NCBIBLAST), search("fasta", **FASTA)
    assert costs(blast) == ("BLOSUM62", 11, 1)
    assert costs(fasta) == ("BLOSUM50", 10, 2)
    assert (blast.statistics, fasta.statistics) == ("table", "fitted")
    for asked in (blast, fasta):
        assert (asked.max_target_seqs, asked.alignments, asked.evalue) == (50, 50, 10.0)


def test_ncbiblast_says_gap_costs_as_blast_does() -> None:
    assert costs(search("ncbiblast", gapopen="10", gapext="1")) == ("BLOSUM62", 10, 1)
    assert costs(search("ncbiblast", gapopen="13", gapext="-1")) == ("BLOSUM62", 13, 1)


@pytest.mark.parametrize("sign", ["", "-"])
def test_fasta_says_gap_costs_as_ssearch_does(sign: str) -> None:
    fields = {"matrix": "BL62", "gapopen": f"{sign}10", "gapext": f"{sign}1"}
    assert costs(search("fasta", **fields)) == ("BLOSUM62", 10, 1)


@pytest.mark.parametrize(
    ("matrix", "ours"),
    [("BL50", "BLOSUM50"), ("bp62", "BLOSUM62"), ("BL80", "BLOSUM80"), ("PAM250", "PAM250")],
)
def test_fastas_names_of_matrices(matrix: str, ours: str) -> None:
    assert search("fasta", matrix=matrix).matrix == ours


def test_fasta_takes_any_gap_costs() -> None:
    assert costs(search("fasta", gapopen="-7", gapext="-3")) == ("BLOSUM50", 7, 3)
    assert costs(search("fasta", matrix="BL62")) == ("BLOSUM62", 11, 1)


def test_the_larger_count_and_each_tools_name_for_the_e_value() -> None:
    asked = search("ncbiblast", scores="5", alignments="20", exp="1e-5")
    assert (asked.max_target_seqs, asked.alignments, asked.evalue) == (20, 20, 1e-5)
    assert search("fasta", expupperlim="0.5").evalue == 0.5


def test_taxids_are_lists_by_comma() -> None:
    asked = search("ncbiblast", taxids="10090, 9606", negative_taxids="562")
    assert (asked.taxids, asked.negative_taxids) == ((9606, 10090), (562,))
    assert search("fasta").taxids == ()


@pytest.mark.parametrize(
    ("tool", "value", "most"),
    [
        *(("ncbiblast", "", 1), ("ncbiblast", "5", 5), ("ncbiblast", "100", 100), ("ncbiblast", "1000", 100)),
        *(("fasta", "", 1), ("fasta", "false", 1), ("fasta", "TRUE", 100)),
    ],
)
def test_alignments_of_a_hit(tool: str, value: str, most: int) -> None:
    assert search(tool, hsps=value).max_hsps == most


@pytest.mark.parametrize(
    ("tool", "name", "value"),
    [
        ("ncbiblast", "program", "blastx"),
        ("fasta", "program", "ggsearch"),
        ("ncbiblast", "stype", "dna"),
        ("ncbiblast", "seqrange", "3-5"),
        ("ncbiblast", "gapalign", "false"),
        ("fasta", "explowlim", "1e-5"),
        ("fasta", "dbrange", "100-250"),
        ("fasta", "hsps", "all"),
        ("ncbiblast", "hsps", "all"),
        ("ncbiblast", "sequence", ">a\nMK\n>b\nMK\n"),
        ("ncbiblast", "sequence", ""),
        ("ncbiblast", "exp", "zero"),
    ],
)
def test_what_cannot_be_done_is_refused_by_its_name(tool: str, name: str, value: str) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        search(tool, **{name: value})
    assert caught.value.parameter == name


def test_costs_without_statistics_are_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidParameterError, match="pairs that have them: 13/2"):
        search("ncbiblast", matrix="BLOSUM50", gapopen="10", gapext="2")


def test_our_own_bounds_hold() -> None:
    with pytest.raises(ValidationError):
        search("ncbiblast", scores="0", alignments="0")
    with pytest.raises(FastaFormatError):
        search("ncbiblast", sequence="sp:wap_rat").records()
    with pytest.raises(NotHereError):
        tool_of("clustalo")


def test_uniprots_headers_are_taken_apart_and_others_are_not() -> None:
    entry = Entry.of("sp|P10105|LAB_DROME", "Homeotic protein OS=Drosophila melanogaster OX=7227 PE=2 SV=1", "demo")
    assert (entry.db, entry.acc, entry.id) == ("SP", "P10105", "LAB_DROME")
    assert entry.annotated == {"OS": "Drosophila melanogaster", "OX": "7227", "PE": "2", "SV": "1"}
    assert entry.definition.startswith("SP:P10105 LAB_DROME Homeotic")
    assert Entry.of("WP_1.1", "some protein", "demo") == Entry("demo", "WP_1.1", "WP_1.1", "some protein")


@pytest.mark.parametrize(
    ("title", "annotated"),
    [
        ("Globin OS=Homo sapiens (OS=x)  OX=9606", {"OS": "Homo sapiens (OS=x)", "OX": "9606"}),
        ("OS= OX=9606", {"OS": "", "OX": "9606"}),
        ("GN=first GN=last", {"GN": "last"}),
        ("a cell of type OS", {}),
    ],
)
def test_a_mark_begins_a_value_that_ends_before_the_next_one(title: str, annotated: dict[str, str]) -> None:
    assert Entry.of("sp|P10105|LAB_DROME", title, "demo").annotated == annotated


def test_a_title_of_a_hundred_thousand_blanks_is_taken_apart_as_quickly_as_any() -> None:
    title = f"Globin OS={' ' * 100_000}x SV=1"
    assert Entry.of("sp|P10105|LAB_DROME", title, "demo").annotated == {"OS": "x", "SV": "1"}
