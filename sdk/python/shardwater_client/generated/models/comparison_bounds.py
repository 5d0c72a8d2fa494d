from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ComparisonBounds")


@_attrs_define
class ComparisonBounds:
    """What one comparison may be."""

    max_comparison_letters: int
    """ Of both genomes together; each has 536,870,911 at most. """
    max_comparison_records: int
    """ Of both genomes together. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        max_comparison_letters = self.max_comparison_letters

        max_comparison_records = self.max_comparison_records

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "max_comparison_letters": max_comparison_letters,
                "max_comparison_records": max_comparison_records,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        max_comparison_letters = d.pop("max_comparison_letters")

        max_comparison_records = d.pop("max_comparison_records")

        comparison_bounds = cls(
            max_comparison_letters=max_comparison_letters,
            max_comparison_records=max_comparison_records,
        )

        comparison_bounds.additional_properties = d
        return comparison_bounds

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
