"""The shapes of aligned pairs and certificates over HTTP are those that the library and the worker make."""

from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from app import alignment_schemas
from shardwater.pairs.aligned import AlignedPair
from worker.kinds.alignment import PairCertificate

Types = dict[str, set[str]]


def types(schema: dict[str, Any]) -> Types:
    """The members of an object in their order, and the JSON types that each may have; a number may be an integer."""
    of_members = {
        name: {each["type"] for each in member.get("anyOf", [member])} for name, member in schema["properties"].items()
    }
    return {name: found - {"integer"} if "number" in found else found for name, found in of_members.items()}


@pytest.mark.parametrize(
    ("made", "shape"),
    [(AlignedPair, alignment_schemas.AlignedPair), (PairCertificate, alignment_schemas.PairCertificate)],
    ids=lambda each: each.__module__,
)
def test_members_are_those_that_are_made(made: type, shape: type[BaseModel]) -> None:
    expected, described = types(TypeAdapter(made).json_schema()), types(shape.model_json_schema())
    assert list(described.items()) == list(expected.items())
    # All of them are always there, null or not.
    assert shape.model_json_schema()["required"] == list(expected)
