from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.parameter_usual_type_0 import ParameterUsualType0
    from ..models.parameter_value import ParameterValue


T = TypeVar("T", bound="Parameter")


@_attrs_define
class Parameter:
    """A parameter of a job. With defaults where earlier versions had none, so that clients read their replies, too."""

    default: Any
    description: str
    """ The same, and then, behind an empty line, what a program has to know. """
    maximum: float | None
    minimum: float | None
    name: str
    required: bool
    type_: str
    values: list[ParameterValue]
    exclusive_minimum: bool | Unset = False
    """ Whether it has to be more than `minimum`. """
    summary: str | Unset = ""
    """ What it does, and when to change it: for people. """
    usual: None | ParameterUsualType0 | Unset = UNSET
    """ What is taken of `protein` and of `dna`, where the default goes by the letters. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.parameter_usual_type_0 import ParameterUsualType0  # noqa: PLC0415

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

        exclusive_minimum = self.exclusive_minimum

        summary = self.summary

        usual: dict[str, Any] | None | Unset
        if isinstance(self.usual, Unset):
            usual = UNSET
        elif isinstance(self.usual, ParameterUsualType0):
            usual = self.usual.to_dict()
        else:
            usual = self.usual

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
        if exclusive_minimum is not UNSET:
            field_dict["exclusive_minimum"] = exclusive_minimum
        if summary is not UNSET:
            field_dict["summary"] = summary
        if usual is not UNSET:
            field_dict["usual"] = usual

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.parameter_usual_type_0 import ParameterUsualType0  # noqa: PLC0415
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

        exclusive_minimum = d.pop("exclusive_minimum", UNSET)

        summary = d.pop("summary", UNSET)

        def _parse_usual(data: object) -> None | ParameterUsualType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                usual_type_0 = ParameterUsualType0.from_dict(data)

                return usual_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ParameterUsualType0 | Unset, data)

        usual = _parse_usual(d.pop("usual", UNSET))

        parameter = cls(
            default=default,
            description=description,
            maximum=maximum,
            minimum=minimum,
            name=name,
            required=required,
            type_=type_,
            values=values,
            exclusive_minimum=exclusive_minimum,
            summary=summary,
            usual=usual,
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
