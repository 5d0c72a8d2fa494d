from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Adjustment")


@_attrs_define
class Adjustment:
    """By which method figures were made of less than the score, and what that has left out.

    left_out: subjects within the limits before, but not as adjusted; lowest_evalue: the lowest that one of them had
    before, None where there is none.

    """

    left_out: int
    lowest_evalue: float | None
    method: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        left_out = self.left_out

        lowest_evalue: float | None
        lowest_evalue = self.lowest_evalue

        method = self.method

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "left_out": left_out,
                "lowest_evalue": lowest_evalue,
                "method": method,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        left_out = d.pop("left_out")

        def _parse_lowest_evalue(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        lowest_evalue = _parse_lowest_evalue(d.pop("lowest_evalue"))

        method = d.pop("method")

        adjustment = cls(
            left_out=left_out,
            lowest_evalue=lowest_evalue,
            method=method,
        )

        adjustment.additional_properties = d
        return adjustment

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
