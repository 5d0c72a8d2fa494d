from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MsaRound")


@_attrs_define
class MsaRound:
    """A round, from 1: how many rows it found well enough for a profile, how many of them the one before had and how
    many it had not, and how many of that one's it has no more. Which these are would be megabytes for many chains.

    """

    included: int
    kept: int
    lost: int
    new: int
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

        lost = d.pop("lost")

        new = d.pop("new")

        number = d.pop("number")

        msa_round = cls(
            included=included,
            kept=kept,
            lost=lost,
            new=new,
            number=number,
        )

        msa_round.additional_properties = d
        return msa_round

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
