from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="SequenceBatch")


@_attrs_define
class SequenceBatch:
    """Which sequences of a database are wanted."""

    accessions: list[str]
    """ First words of headers; answered in this order. """

    def to_dict(self) -> dict[str, Any]:
        accessions = self.accessions

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "accessions": accessions,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        accessions = cast(list[str], d.pop("accessions"))

        sequence_batch = cls(
            accessions=accessions,
        )

        return sequence_batch
