from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="GapCosts")


@_attrs_define
class GapCosts:
    """Gap costs with published statistics."""

    gap_extend: int
    gap_open: int
    recommended: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        gap_extend = self.gap_extend

        gap_open = self.gap_open

        recommended = self.recommended

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "gap_extend": gap_extend,
                "gap_open": gap_open,
                "recommended": recommended,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        gap_extend = d.pop("gap_extend")

        gap_open = d.pop("gap_open")

        recommended = d.pop("recommended")

        gap_costs = cls(
            gap_extend=gap_extend,
            gap_open=gap_open,
            recommended=recommended,
        )

        gap_costs.additional_properties = d
        return gap_costs

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
