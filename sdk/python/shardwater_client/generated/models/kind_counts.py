from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="KindCounts")


@_attrs_define
class KindCounts:
    """How many blocks are of each kind."""

    collinear: int | Unset = 0
    duplication: int | Unset = 0
    inversion: int | Unset = 0
    repeat: int | Unset = 0
    translocation: int | Unset = 0
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        collinear = self.collinear

        duplication = self.duplication

        inversion = self.inversion

        repeat = self.repeat

        translocation = self.translocation

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if collinear is not UNSET:
            field_dict["collinear"] = collinear
        if duplication is not UNSET:
            field_dict["duplication"] = duplication
        if inversion is not UNSET:
            field_dict["inversion"] = inversion
        if repeat is not UNSET:
            field_dict["repeat"] = repeat
        if translocation is not UNSET:
            field_dict["translocation"] = translocation

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        collinear = d.pop("collinear", UNSET)

        duplication = d.pop("duplication", UNSET)

        inversion = d.pop("inversion", UNSET)

        repeat = d.pop("repeat", UNSET)

        translocation = d.pop("translocation", UNSET)

        kind_counts = cls(
            collinear=collinear,
            duplication=duplication,
            inversion=inversion,
            repeat=repeat,
            translocation=translocation,
        )

        kind_counts.additional_properties = d
        return kind_counts

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
