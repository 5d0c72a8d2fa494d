"""What is wrong with a request is said in sentences, not in the validation library's words."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from app.schemas import SequenceBatch
from worker.jobs.requests import SearchRequest
from worker.jobs.sentences import sentence
from worker.jobs.states import State


def said(error: ValidationError) -> list[str]:
    return [f"{' '.join(map(str, each['loc']))}: {sentence(each)}" for each in error.errors()]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"colour": "red"}, "colour: there is no such parameter"),
        ({"sequence": ""}, "sequence: 1 or more characters are needed"),
        ({"sequence": None}, "sequence: text is needed"),
        ({"evalue": 0}, "evalue: a number above 0 is needed"),
        ({"evalue": []}, "evalue: a number is needed"),
        ({"evalue": float("nan")}, "evalue: a finite number is needed"),
        ({"max_target_seqs": 0}, "max_target_seqs: 1 or more is needed"),
        ({"max_target_seqs": 10_001}, "max_target_seqs: 10000 or less is needed"),
        ({"max_target_seqs": 1.5}, "max_target_seqs: a whole number is needed"),
        ({"statistics": "ml"}, "statistics: 'table', 'karlin-altschul', 'simulated', 'fitted' or 'none' is needed"),
        ({"score_distribution": "perhaps"}, "score_distribution: true or false is needed"),
        ({"title": "x" * 201}, "title: 200 characters or fewer are needed"),
        ({"title": "a\nb"}, "title: a title is one line of printable text"),
        ({"query_loc": "5"}, "query_loc: a first and a last residue are needed, as 5-40"),
        ({"query_loc": "50-40"}, "query_loc: 50-40 ends before it begins"),
    ],
)
def test_wrong_value_of_a_search(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        SearchRequest(**{"sequence": "MKVL", "database": "demo", **fields})
    assert said(caught.value) == [message]


def test_what_is_missing_or_no_object() -> None:
    with pytest.raises(ValidationError) as caught:
        SearchRequest.model_validate_json("{}")
    assert said(caught.value) == [
        "sequence: it is missing",
        "database: name one database here, or several in `databases`",
    ]
    with pytest.raises(ValidationError) as caught:
        SearchRequest.model_validate_json("[]")
    assert said(caught.value) == [": a JSON object is needed"]


def test_lists_and_names() -> None:
    with pytest.raises(ValidationError) as caught:
        SequenceBatch(accessions=[])
    assert said(caught.value) == ["accessions: 1 or more are needed, not 0"]
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(State).validate_python("foo")
    assert said(caught.value) == [": 'queued', 'running', 'succeeded', 'failed' or 'cancelled' is needed"]
