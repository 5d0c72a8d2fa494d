from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ComparisonCertificate")


@_attrs_define
class ComparisonCertificate:
    """What was done: all HSPs were found, but for those of seeds that the summary's policy has left out."""

    engines: list[str]
    """ What computed: `cpu`, or devices' names. """
    exact: bool
    parts: int
    """ That the HSPs were found in, by any workers. """
    software: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        engines = self.engines

        exact = self.exact

        parts = self.parts

        software = self.software

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "engines": engines,
                "exact": exact,
                "parts": parts,
                "software": software,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        engines = cast(list[str], d.pop("engines"))

        exact = d.pop("exact")

        parts = d.pop("parts")

        software = d.pop("software")

        comparison_certificate = cls(
            engines=engines,
            exact=exact,
            parts=parts,
            software=software,
        )

        comparison_certificate.additional_properties = d
        return comparison_certificate

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
