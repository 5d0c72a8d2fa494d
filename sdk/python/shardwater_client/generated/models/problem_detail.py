from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="ProblemDetail")


@_attrs_define
class ProblemDetail:
    """One thing that is wrong: where in the body (pointer) or which parameter, and the place in a FASTA text."""

    detail: str
    column: int | None | Unset = UNSET
    """ Column of the line, from 1. """
    line: int | None | Unset = UNSET
    """ Line of the text, from 1. """
    parameter: None | str | Unset = UNSET
    pointer: None | str | Unset = UNSET
    record: int | None | Unset = UNSET
    """ Record of the FASTA text, from 1; 0 is before the first header. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        detail = self.detail

        column: int | None | Unset
        if isinstance(self.column, Unset):
            column = UNSET
        else:
            column = self.column

        line: int | None | Unset
        if isinstance(self.line, Unset):
            line = UNSET
        else:
            line = self.line

        parameter: None | str | Unset
        if isinstance(self.parameter, Unset):
            parameter = UNSET
        else:
            parameter = self.parameter

        pointer: None | str | Unset
        if isinstance(self.pointer, Unset):
            pointer = UNSET
        else:
            pointer = self.pointer

        record: int | None | Unset
        if isinstance(self.record, Unset):
            record = UNSET
        else:
            record = self.record

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "detail": detail,
            }
        )
        if column is not UNSET:
            field_dict["column"] = column
        if line is not UNSET:
            field_dict["line"] = line
        if parameter is not UNSET:
            field_dict["parameter"] = parameter
        if pointer is not UNSET:
            field_dict["pointer"] = pointer
        if record is not UNSET:
            field_dict["record"] = record

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        detail = d.pop("detail")

        def _parse_column(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        column = _parse_column(d.pop("column", UNSET))

        def _parse_line(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        line = _parse_line(d.pop("line", UNSET))

        def _parse_parameter(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        parameter = _parse_parameter(d.pop("parameter", UNSET))

        def _parse_pointer(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        pointer = _parse_pointer(d.pop("pointer", UNSET))

        def _parse_record(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        record = _parse_record(d.pop("record", UNSET))

        problem_detail = cls(
            detail=detail,
            column=column,
            line=line,
            parameter=parameter,
            pointer=pointer,
            record=record,
        )

        problem_detail.additional_properties = d
        return problem_detail

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
