"""What a search in rounds, or with a profile, may ask for."""

import json
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from shardwater.errors import LimitExceeded
from shardwater.formats.pssms.ascii_text import write_ascii
from shardwater.formats.pssms.asn1 import write_asn1
from shardwater.formats.pssms.reading import read_pssm
from shardwater.scoring.scoring import Rows, Scoring, load_matrix, own_matrix
from tests.support.pssms import pssm_json
from worker.jobs.given_profiles import MOST_PSSM_TEXT
from worker.jobs.kept_searches import OwnMatrixSearch, read_request
from worker.jobs.limits import Limits
from worker.jobs.query_parts import QueryRangeError
from worker.jobs.requests import SearchRequest
from worker.jobs.sentences import sentence


def request(**fields: Any) -> SearchRequest:
    return SearchRequest.model_validate({"database": "demo", **fields})


def refusals(**fields: Any) -> list[tuple[str, str]]:
    """The place and the sentence of all that is wrong."""
    with pytest.raises(ValidationError) as caught:
        request(**fields)
    return [(".".join(map(str, error["loc"])), sentence(error)) for error in caught.value.errors()]


def test_one_round_with_psiblasts_threshold_is_what_nothing_says() -> None:
    parameters = request(sequence="MKVL").parameters
    assert (parameters.iterations, parameters.inclusion_evalue) == (1, 0.002)
    asked = request(sequence="MKVL", iterations="3", inclusion_evalue="1e-5")
    assert (asked.parameters.iterations, asked.parameters.inclusion_evalue) == (3, 1e-5)


@pytest.mark.parametrize(
    ("fields", "place", "text"),
    [
        ({"iterations": 0}, "iterations", "1 or more is needed"),
        ({"iterations": 21}, "iterations", "20 or less is needed"),
        ({"iterations": "2.0"}, "iterations", "a whole number is needed, in digits alone"),
        ({"iterations": True}, "iterations", "neither true nor false will do"),
        ({"inclusion_evalue": 0}, "inclusion_evalue", "a number above 0 is needed"),
        ({"inclusion_evalue": 10.5}, "inclusion_evalue", "10 or less is needed"),
        ({"inclusion_evalue": "nan"}, "inclusion_evalue", "a decimal number is needed, as 10, 0.5 or 1e-5"),
        (
            {"iterations": 2, "statistics": "none"},
            "",
            "statistics=none gives no E-values to make profiles by: take other statistics",
        ),
        (
            {"iterations": 2, "shuffles": 100},
            "",
            "shuffles are of sequences: leave them out where a profile is searched with",
        ),
        (
            {"iterations": 2, "scores": "all"},
            "",
            "scores=all is for one round: search with the profile of the last one (pssm) once more",
        ),
    ],
)
def test_rounds_that_cannot_be_are_refused(fields: dict[str, Any], place: str, text: str) -> None:
    assert refusals(sequence="MKVL", **fields) == [(place, text)]


@pytest.mark.parametrize(
    ("fields", "place", "text"),
    [
        ({}, "sequence", "it is missing"),
        ({"pssm": None}, "sequence", "it is missing"),
        ({"pssm": pssm_json(), "sequence": "MKVL"}, "sequence", "pssm has its query with it: leave out sequence"),
        ({"pssm": pssm_json(), "shuffles": 100}, "", "shuffles are of sequences: leave them out where a profile is"),
        ({"pssm": ">q\nMKVL"}, "pssm", "a PSSM is ASN.1 text (PssmWithParameters), the table of -out_ascii_pssm"),
        ({"pssm": "{"}, "pssm", "the text is no JSON"),
        ({"pssm": pssm_json() * 2}, "pssm", "there is more behind the PSSM"),
        ({"pssm": pssm_json(matrix="BLOSUM61")}, "pssm", "unknown matrix 'BLOSUM61'; known are BLOSUM45"),
        ({"pssm": pssm_json(gap_open=-1)}, "gap_open", "0 or more is needed"),
        ({"pssm": pssm_json(gap_open=1 << 70)}, "gap_open", "100000 or less is needed"),
        ({"pssm": pssm_json(gap_extend=100_001)}, "gap_extend", "100000 or less is needed"),
        ({"pssm": pssm_json(title="a\n>b\nMKVL")}, "pssm", "the title is one line of text"),
        ({"pssm": pssm_json(scores=[])}, "pssm", "the sequence has 20 letters for 0 positions"),
        ({"pssm": pssm_json(matrix="PAM30"), "statistics": "table"}, "", "no published statistics for PAM30 with gap"),
    ],
)
def test_profiles_that_cannot_be_are_refused(fields: dict[str, Any], place: str, text: str) -> None:
    [(where, what)] = refusals(**fields)
    assert (where, what[: len(text)]) == (place, text)


def test_profile_that_is_no_text_or_too_long_is_not_read() -> None:
    assert ("pssm", "text is needed") in refusals(pssm=5)
    assert ("pssm", "8000000 characters or fewer are needed") in refusals(pssm="{" * (MOST_PSSM_TEXT + 1))
    assert ("pssm", "1 or more characters are needed") in refusals(pssm="")


def test_profile_says_query_matrix_and_gap_costs() -> None:
    asked = request(pssm=pssm_json("MKuW*", title="p a profile", matrix="blosum80", gap_open=10, gap_extend=2))
    assert asked.scoring == Scoring("BLOSUM80", 10, 2)
    [record] = asked.records()
    assert (record.id, record.title, record.residues) == ("p", "a profile", b"MKuW*")
    assert record.pssm is not None
    assert record.pssm.scores.shape == (5, 24)


@pytest.mark.parametrize("letters", ["M", "MKVLUOJ*BZX"])
@pytest.mark.parametrize("write", [write_asn1, write_ascii])
def test_every_form_asks_for_the_same(write: Any, letters: str) -> None:
    text = pssm_json(letters)
    given, other = request(pssm=text), request(pssm="".join(write(read_pssm(text))))
    assert given.scoring == other.scoring
    assert [record.residues for record in other.records()] == [letters.encode()]
    scores = [one.pssm.scores[:, :20].tolist() for asked in (given, other) for one in asked.records() if one.pssm]
    assert scores[0] == scores[1]


def test_what_is_given_beside_a_profile_counts() -> None:
    asked = request(pssm=pssm_json(), matrix="BLOSUM45", gap_open=14, gap_extend=2, statistics="table")
    assert asked.scoring == Scoring("BLOSUM45", 14, 2)
    assert request(pssm=pssm_json(gap_open=9, gap_extend=2), gap_open=None).scoring == Scoring("BLOSUM62", 9, 2)


def test_what_is_kept_of_a_profile_is_read_again() -> None:
    for letters in ("MKVL*UOJ", "mkvlaagw"):
        asked = request(pssm=pssm_json(letters, title="p \u00e9\t\x01 "), iterations=3)
        kept = asked.model_dump_json(exclude_unset=True)
        assert read_request(kept) == asked
        # What is posted again asks for the same.
        assert SearchRequest.model_validate_json(kept).records() == asked.records()


def test_part_of_a_profile_is_searched() -> None:
    asked = request(pssm=pssm_json(), query_loc="5-40")
    [record], [whole] = asked.records(), request(pssm=pssm_json()).records()
    assert (record.residues, record.offset, record.length) == (whole.residues[4:], 4, 20)
    assert record.pssm is not None
    assert whole.pssm is not None
    assert np.array_equal(record.pssm.scores, whole.pssm.scores[4:])
    with pytest.raises(QueryRangeError, match="21-22 is no part of record 1, which is 1-20"):
        request(pssm=pssm_json(), query_loc="21-22").records()


def test_limits_hold_for_the_query_of_a_profile() -> None:
    records = request(pssm=pssm_json("M" * 12)).records()
    Limits(max_query_length=12).check(records, 100)
    with pytest.raises(LimitExceeded, match="max_query_length"):
        Limits(max_query_length=11).check(records, 100)


def test_longest_query_of_a_service_fits_with_the_longest_numbers() -> None:
    letters = "M" * Limits().max_query_length
    text = json.dumps({**json.loads(pssm_json()), "sequence": letters, "scores": [[-100] * 24] * len(letters)})
    assert len(request(pssm=text.replace(" ", "")).pssm or "") <= MOST_PSSM_TEXT


def rows(change: int) -> Rows:
    """BLOSUM62's with so much more for every pair."""
    return tuple(tuple(row) for row in (load_matrix("BLOSUM62").scores + change).tolist())


def own(change: int, **fields: Any) -> OwnMatrixSearch:
    scores = rows(change)
    asked = {"database": "demo", "matrix": own_matrix(scores).name, "gap_open": 9, "gap_extend": 1}
    return OwnMatrixSearch.model_validate({**asked, "matrix_scores": scores, **fields})


def test_own_matrix_makes_profiles_where_it_has_units() -> None:
    assert own(0, sequence="MKVL", iterations=3).parameters.iterations == 3
    assert own(9, sequence="MKVL", statistics="none").iterations == 1
    with pytest.raises(ValidationError, match=r"no profiles can be made with this matrix: random residues score 8\."):
        own(9, sequence="MKVL", iterations=3)


def test_profile_of_an_own_matrix_is_for_who_has_that() -> None:
    name = own_matrix(rows(0)).name
    text = pssm_json(matrix=name, gap_open=9, gap_extend=1)
    assert (request(pssm=text).matrix, request(pssm=text).gap_open) == (name, 9)
    asked = own(0, pssm=text, gap_open=None, gap_extend=None)
    assert asked.scoring.own == rows(0)
    assert read_request(asked.model_dump_json(exclude_unset=True)) == asked


def test_description_needs_no_sequence_beside_a_profile() -> None:
    assert "required" not in SearchRequest.model_json_schema()
