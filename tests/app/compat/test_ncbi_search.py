"""What a Put of NCBI's clients comes to as a search of ours."""

import re
import string
from typing import Any

import pytest
from pydantic import ValidationError

from app.compat.fields import Fields
from app.compat.names import rid_of
from app.compat.ncbi.search import search_of
from app.problems import InvalidParameterError
from worker.jobs.requests import SearchRequest

NEEDED = {"PROGRAM": "blastp", "DATABASE": "demo", "QUERY": "MKVLAAG"}
# What Bio.Blast.NCBIWWW.qblast and Bio::Tools::Run::RemoteBlast send when they are told nothing else.
BIOPYTHON = {"ENTREZ_QUERY": "(none)", "EXPECT": "10.0", "HITLIST_SIZE": "50", "CMD": "Put"}
BIOPERL = {
    **{"CMD": "Put", "FORMAT_OBJECT": "Alignment", "COMPOSITION_BASED_STATISTICS": "off", "EXPECT": "1e-3"},
    **{"FILTER": "L", "SERVICE": "plain", "ALIGNMENTS": "50", "ALIGNMENT_VIEW": "Pairwise", "DESCRIPTIONS": "100"},
    "FORMAT_TYPE": "Text",
}


def search(**fields: str) -> SearchRequest:
    return search_of(Fields((NEEDED | fields).items()))


def test_nothing_but_what_is_needed_is_blastps_default() -> None:
    asked = search()
    assert (asked.sequence, asked.names, asked.matrix) == ("MKVLAAG", ("demo",), "BLOSUM62")
    assert (asked.gap_open, asked.gap_extend, asked.evalue) == (11, 1, 10.0)
    assert (asked.max_target_seqs, asked.alignments, asked.statistics) == (100, 100, "table")


def test_clients_defaults_will_do() -> None:
    assert (search(**BIOPYTHON).max_target_seqs, search(**BIOPYTHON).evalue) == (50, 10.0)
    assert (search(**BIOPERL).max_target_seqs, search(**BIOPERL).evalue) == (100, 0.001)


@pytest.mark.parametrize("costs", ["15 2", "15+2", " 15  2 ", "15.0 2.0"])
@pytest.mark.parametrize("name", ["MATRIX", "MATRIX_NAME"])
def test_matrix_and_gap_costs(name: str, costs: str) -> None:
    asked = search(**{name: "blosum45", "GAPCOSTS": costs})
    assert (asked.matrix, asked.gap_open, asked.gap_extend) == ("BLOSUM45", 15, 2)


def test_gap_costs_follow_the_matrix() -> None:
    assert (search(MATRIX="PAM30").gap_open, search(MATRIX="PAM30").gap_extend) == (9, 1)


def test_several_alignments_of_a_hit() -> None:
    assert (search().max_hsps, search(MAX_HSPS="7").max_hsps) == (1, 7)


def test_every_hit_of_the_list_is_aligned() -> None:
    asked = search(HITLIST_SIZE="500", JOB_TITLE=" a title ", PERC_IDENT="30")
    assert (asked.max_target_seqs, asked.alignments, asked.title, asked.min_identity) == (500, 500, "a title", 30)


def test_rounds_are_those_of_psiblast() -> None:
    assert (search().iterations, search(SERVICE="psi", RUN_PSIBLAST="on").iterations) == (1, 1)
    asked = search(SERVICE="psi", NUM_ITERATIONS="3", I_THRESH="0.005")
    assert (asked.iterations, asked.inclusion_evalue, asked.statistics) == (3, 0.005, "table")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PROGRAM", "blastn", "only blastp"),
        ("GAPCOSTS", "11", "two whole numbers"),
        ("GAPCOSTS", "-11 -1", "two whole numbers"),
        ("EXPECT", "0", "above 0"),
        ("HITLIST_SIZE", "many", "whole number"),
        ("ENTREZ_QUERY", "Homo sapiens [ORGN]", "organisms alone are chosen here"),
        ("EQ_MENU", "Homo sapiens", "an organism with its taxid is needed"),
        ("TAXIDS", "9606;1", "taxids are needed"),
        ("SERVICE", "phi", "not supported"),
        ("PSSM", "PssmWithParameters", "not supported"),
        ("PREV_RID", "XYZ", "not supported"),
        ("STEP_NUMBER", "2", "not supported"),
        ("NUM_ITERATIONS", "many", "whole number"),
        ("I_THRESH", "0", "above 0"),
        ("QUERY_FROM", "10", "not supported"),
        ("UNGAPPED_ALIGNMENT", "yes", "not supported"),
        ("SHORT_QUERY_ADJUST", "true", "not supported"),
    ],
)
def test_what_cannot_be_done_is_refused_by_its_name(name: str, value: str, said: str) -> None:
    with pytest.raises(InvalidParameterError, match=said) as caught:
        search(**{name: value})
    assert caught.value.parameter == name


@pytest.mark.parametrize(
    ("fields", "pointer", "said"),
    [
        ({"MATRIX": "PAM120"}, "/matrix", "unknown matrix"),
        ({"GAPCOSTS": "10 3"}, "/gap_open", "pairs that have them: 11/1"),
    ],
)
def test_matrix_or_costs_without_statistics_are_refused_with_those_there_are(
    fields: dict[str, str], pointer: str, said: str
) -> None:
    with pytest.raises(InvalidParameterError, match=said) as caught:
        search(**fields)
    assert caught.value.parameter == pointer


@pytest.mark.parametrize("fields", [{"HITLIST_SIZE": "0"}, {"HITLIST_SIZE": "10001"}, {"PERC_IDENT": "101"}])
def test_our_own_bounds_hold(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        search(**fields)


@pytest.mark.parametrize("name", NEEDED)
def test_needed_field_is_missed(name: str) -> None:
    with pytest.raises(InvalidParameterError, match="missing") as caught:
        search(**{name: ""})
    assert caught.value.parameter == name


def test_rid_is_as_ncbis_are_and_always_the_same() -> None:
    rids = {search: rid_of(search) for search in ("A" * 24, "B" * 24, "-_" * 12)}
    assert len(set(rids.values())) == 3
    assert all(re.fullmatch("[0-9A-Z]{11}", rid) for rid in rids.values())
    assert rids["A" * 24] == rid_of("A" * 24)
    used = set("".join(rid_of(str(number)) for number in range(300)))
    assert used == set(string.digits + string.ascii_uppercase)
