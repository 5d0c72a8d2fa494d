from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="RoundReport")


@_attrs_define
class RoundReport:
    """A round, from 1: how many subjects it found well enough for a profile, and how many of them the one before had.

    new and lost: accessions of those that the round before did not have, and of those that this one has no more.

    """

    included: int
    kept: int
    lost: list[str]
    new: list[str]
    number: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        included = self.included

        kept = self.kept

        lost = self.lost

        new = self.new

        number = self.number

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "included": included,
                "kept": kept,
                "lost": lost,
                "new": new,
                "number": number,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        included = d.pop("included")

        kept = d.pop("kept")

        lost = cast(list[str], d.pop("lost"))

        new = cast(list[str], d.pop("new"))

        number = d.pop("number")

        round_report = cls(
            included=included,
            kept=kept,
            lost=lost,
            new=new,
            number=number,
        )

        round_report.additional_properties = d
        return round_report

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
