from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.parameter_value import ParameterValue


T = TypeVar("T", bound="Parameter")


@_attrs_define
class Parameter:
    """A parameter of a search."""

    default: Any
    description: str
    maximum: float | None
    minimum: float | None
    name: str
    required: bool
    type_: str
    values: list[ParameterValue]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        default = self.default

        description = self.description

        maximum: float | None
        maximum = self.maximum

        minimum: float | None
        minimum = self.minimum

        name = self.name

        required = self.required

        type_ = self.type_

        values = []
        for values_item_data in self.values:
            values_item = values_item_data.to_dict()
            values.append(values_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "default": default,
                "description": description,
                "maximum": maximum,
                "minimum": minimum,
                "name": name,
                "required": required,
                "type": type_,
                "values": values,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.parameter_value import ParameterValue  # noqa: PLC0415

        d = dict(src_dict)
        default = d.pop("default")

        description = d.pop("description")

        def _parse_maximum(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        maximum = _parse_maximum(d.pop("maximum"))

        def _parse_minimum(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        minimum = _parse_minimum(d.pop("minimum"))

        name = d.pop("name")

        required = d.pop("required")

        type_ = d.pop("type")

        values = []
        _values = d.pop("values")
        for values_item_data in _values:
            values_item = ParameterValue.from_dict(values_item_data)

            values.append(values_item)

        parameter = cls(
            default=default,
            description=description,
            maximum=maximum,
            minimum=minimum,
            name=name,
            required=required,
            type_=type_,
            values=values,
        )

        parameter.additional_properties = d
        return parameter

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
