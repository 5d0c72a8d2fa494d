from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.gap_costs import GapCosts


T = TypeVar("T", bound="MatrixCosts")


@_attrs_define
class MatrixCosts:
    """A matrix and the gap costs that statistics other than `none` accept."""

    gap_costs: list[GapCosts]
    matrix: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        gap_costs = []
        for gap_costs_item_data in self.gap_costs:
            gap_costs_item = gap_costs_item_data.to_dict()
            gap_costs.append(gap_costs_item)

        matrix = self.matrix

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "gap_costs": gap_costs,
                "matrix": matrix,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.gap_costs import GapCosts  # noqa: PLC0415

        d = dict(src_dict)
        gap_costs = []
        _gap_costs = d.pop("gap_costs")
        for gap_costs_item_data in _gap_costs:
            gap_costs_item = GapCosts.from_dict(gap_costs_item_data)

            gap_costs.append(gap_costs_item)

        matrix = d.pop("matrix")

        matrix_costs = cls(
            gap_costs=gap_costs,
            matrix=matrix,
        )

        matrix_costs.additional_properties = d
        return matrix_costs

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
