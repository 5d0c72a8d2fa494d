from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Spread")


@_attrs_define
class Spread:
    """The scores of a sequence's shuffles: their mean and standard deviation, and how far the score is above them.

    z is None where all are the same: letters that are all alike have no other order.

    """

    mean: float
    sd: float
    z: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        mean = self.mean

        sd = self.sd

        z: float | None
        z = self.z

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "mean": mean,
                "sd": sd,
                "z": z,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        mean = d.pop("mean")

        sd = d.pop("sd")

        def _parse_z(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        z = _parse_z(d.pop("z"))

        spread = cls(
            mean=mean,
            sd=sd,
            z=z,
        )

        spread.additional_properties = d
        return spread

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
