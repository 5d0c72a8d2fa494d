from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.matrix_costs import MatrixCosts
    from ..models.parameter import Parameter


T = TypeVar("T", bound="ParameterList")


@_attrs_define
class ParameterList:
    """All that a search can be told."""

    matrices: list[MatrixCosts]
    parameters: list[Parameter]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        matrices = []
        for matrices_item_data in self.matrices:
            matrices_item = matrices_item_data.to_dict()
            matrices.append(matrices_item)

        parameters = []
        for parameters_item_data in self.parameters:
            parameters_item = parameters_item_data.to_dict()
            parameters.append(parameters_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "matrices": matrices,
                "parameters": parameters,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.matrix_costs import MatrixCosts  # noqa: PLC0415
        from ..models.parameter import Parameter  # noqa: PLC0415

        d = dict(src_dict)
        matrices = []
        _matrices = d.pop("matrices")
        for matrices_item_data in _matrices:
            matrices_item = MatrixCosts.from_dict(matrices_item_data)

            matrices.append(matrices_item)

        parameters = []
        _parameters = d.pop("parameters")
        for parameters_item_data in _parameters:
            parameters_item = Parameter.from_dict(parameters_item_data)

            parameters.append(parameters_item)

        parameter_list = cls(
            matrices=matrices,
            parameters=parameters,
        )

        parameter_list.additional_properties = d
        return parameter_list

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
