"""Taxids as clients of older interfaces name them."""

import pytest

from app.compat.fields import Fields
from app.compat.taxa import LONGEST, Taxa, entrez_taxa, listed_taxa
from app.problems import InvalidParameterError


def of_query(query: str) -> tuple[list[int], list[int]]:
    found = entrez_taxa(Fields([("ENTREZ_QUERY", query)]))
    return found["taxids"], found["negative_taxids"]


@pytest.mark.parametrize(
    ("query", "wanted", "others"),
    [
        ("", [], []),
        ("(none)", [], []),
        ("all[filter]", [], []),
        ("txid9606[ORGN]", [9606], []),
        ("txid9606 [Organism:exp]", [9606], []),
        ("(txid9606[ORGN])", [9606], []),
        ("txid9606[orgn] OR txid10090[Organism]", [9606, 10090], []),
        ("(txid9606[orgn] or txid10090[orgn]) NOT txid562[orgn]", [9606, 10090], [562]),
        ("all [filter] NOT(txid9606[ORGN] OR txid2[ORGN])", [], [9606, 2]),
        ("NOT txid1[ORGN] NOT txid2[ORGN]", [], [1, 2]),
    ],
)
def test_entrez_queries_of_organisms(query: str, wanted: list[int], others: list[int]) -> None:
    assert of_query(query) == (wanted, others)


@pytest.mark.parametrize(
    "query",
    [
        "Homo sapiens[ORGN]",
        "txid9606",
        "txid9606[orgn:noexp]",
        "txid9606[ORGN] txid1[ORGN]",
        "txid9606[ORGN] AND txid1[ORGN]",
        "txid9606[ORGN] NOT txid1[ORGN] OR txid2[ORGN]",
        "(txid9606[ORGN]",
        "OR",
        "txid12345678901[ORGN]",
        "txid９606[ORGN]",
        "(" * 50_000,
        "txid1[ORGN] OR " * 10_000,
    ],
)
def test_other_queries_are_refused(query: str) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        of_query(query)
    assert caught.value.parameter == "ENTREZ_QUERY"
    assert len(query) <= LONGEST or str(caught.value) == "it is too long"


def test_a_menu_names_an_organism() -> None:
    menu = ("EQ_MENU", "Homo sapiens (human) (taxid:9606)")
    assert entrez_taxa(Fields([menu])) == {"taxids": [9606], "negative_taxids": []}
    assert entrez_taxa(Fields([menu, ("ORG_EXCLUDE", "on")])) == {"taxids": [], "negative_taxids": [9606]}
    assert entrez_taxa(Fields([("EQ_MENU", "562"), ("TAXIDS", "1, 2")])) == {
        "taxids": [562, 1, 2],
        "negative_taxids": [],
    }


@pytest.mark.parametrize(
    ("text", "taxa"),
    [
        (None, {"taxids": [], "negative_taxids": []}),
        ("9606", {"taxids": [9606], "negative_taxids": []}),
        ("9606, 10090", {"taxids": [9606, 10090], "negative_taxids": []}),
        ("9606||10090", {"taxids": [9606, 10090], "negative_taxids": []}),
        ("2&&!562&&!83333", {"taxids": [2], "negative_taxids": [562, 83333]}),
        ("!2", {"taxids": [], "negative_taxids": [2]}),
    ],
)
def test_lists_of_taxids(text: str | None, taxa: Taxa) -> None:
    assert listed_taxa("taxfilter", text) == taxa


@pytest.mark.parametrize("text", ["human", "9606;1", "1&&2", "!1,2", "1,", "&&", "12345678901", "1||!2"])
def test_lists_that_are_none(text: str) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        listed_taxa("taxfilter", text)
    assert caught.value.parameter == "taxfilter"
