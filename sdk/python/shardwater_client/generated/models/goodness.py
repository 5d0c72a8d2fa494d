from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Goodness")


@_attrs_define
class Goodness:
    """Figures that are 0, 1 and 1 where a fit is right.

    distance: the largest difference between the shares of subjects found and expected to have a score or a better one.
    spread: the fit's standard deviation over that of the lower half of the scores, which related subjects are not in;
    None where that half does not vary. tail: subjects found over those expected, from the highest score on which 1 %
    are expected to reach, or 20 in a database of fewer than 2,000.

    """

    distance: float
    spread: float | None
    tail: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        distance = self.distance

        spread: float | None
        spread = self.spread

        tail = self.tail

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "distance": distance,
                "spread": spread,
                "tail": tail,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        distance = d.pop("distance")

        def _parse_spread(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        spread = _parse_spread(d.pop("spread"))

        tail = d.pop("tail")

        goodness = cls(
            distance=distance,
            spread=spread,
            tail=tail,
        )

        goodness.additional_properties = d
        return goodness

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
