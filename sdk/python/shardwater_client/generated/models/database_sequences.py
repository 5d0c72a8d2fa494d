from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="DatabaseSequences")


@_attrs_define
class DatabaseSequences:
    """Sequences of a database."""

    accessions: list[str]
    database: str
    """ Its name, from /v1/databases. """

    def to_dict(self) -> dict[str, Any]:
        accessions = self.accessions

        database = self.database

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "accessions": accessions,
                "database": database,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        accessions = cast(list[str], d.pop("accessions"))

        database = d.pop("database")

        database_sequences = cls(
            accessions=accessions,
            database=database,
        )

        return database_sequences
