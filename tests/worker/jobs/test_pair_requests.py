"""What is wrong with the parameters of pairs, told of the one at fault."""

from typing import Any

import pytest
from pydantic import ValidationError

from worker.jobs.pair_requests import PairParameters


@pytest.mark.parametrize(
    ("fields", "at_fault", "detail"),
    [
        ({"matrix": "FOO"}, "matrix", "unknown matrix 'FOO'"),
        ({"matrix": "BLOSUM62", "alphabet": "dna"}, "matrix", "matrix is for proteins"),
        ({"gap_open": 1.23}, "gap_open", "gap_open is 1.23; a cost has at most one digit after the point"),
        ({"gap_extend": 2e6, "mode": "global"}, "gap_extend", "gap_extend is not a cost from 0 to 1,000,000"),
        ({"match": 9_999_999_999}, "match", "a score is further from 0 than"),
        ({"mismatch": -9_999_999_999}, "mismatch", "a score is further from 0 than"),
        ({"match": 1, "matrix": "BLOSUM62"}, "match", "match is for DNA, not for proteins"),
        ({"table": "A C"}, "table", "a table for DNA has the letters"),
        ({"table": "A C", "match": 1}, "table", "leave out match and mismatch"),
        ({"strand": "both", "alphabet": "protein"}, "strand", "strand both is for DNA"),
        ({"best": 3, "mode": "global"}, "best", "several alignments of a pair (best) need local mode"),
        ({"best": 3, "strand": "both"}, "best", "several alignments of a pair (best) need strand=forward"),
        ({"query_apart": 3}, "query_apart", "need a best of 2 or more"),
        ({"subject_apart": 3}, "subject_apart", "need a best of 2 or more"),
        ({"mode": "local", "free_ends": []}, "free_ends", "in place of a mode"),
    ],
)
def test_the_parameter_at_fault_is_named(fields: dict[str, Any], at_fault: str, detail: str) -> None:
    with pytest.raises(ValidationError) as refused:
        PairParameters.model_validate(fields)
    [error] = refused.value.errors()
    assert (error["type"], error["loc"]) == ("value_error", (at_fault,))
    assert detail in error["ctx"]["error"]
