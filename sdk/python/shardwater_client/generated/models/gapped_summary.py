from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="GappedSummary")


@_attrs_define
class GappedSummary:
    """HSPs whose box was aligned, those whose box was too large, and how many different alignments both have."""

    aligned: int
    alignments: int
    ungapped: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        aligned = self.aligned

        alignments = self.alignments

        ungapped = self.ungapped

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "aligned": aligned,
                "alignments": alignments,
                "ungapped": ungapped,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        aligned = d.pop("aligned")

        alignments = d.pop("alignments")

        ungapped = d.pop("ungapped")

        gapped_summary = cls(
            aligned=aligned,
            alignments=alignments,
            ungapped=ungapped,
        )

        gapped_summary.additional_properties = d
        return gapped_summary

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
