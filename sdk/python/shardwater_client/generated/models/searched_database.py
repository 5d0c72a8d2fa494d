from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="SearchedDatabase")


@_attrs_define
class SearchedDatabase:
    """One of the databases of a search."""

    checksum: str
    name: str
    residues: int
    subjects: int
    version: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        checksum = self.checksum

        name = self.name

        residues = self.residues

        subjects = self.subjects

        version = self.version

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "checksum": checksum,
                "name": name,
                "residues": residues,
                "subjects": subjects,
                "version": version,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        checksum = d.pop("checksum")

        name = d.pop("name")

        residues = d.pop("residues")

        subjects = d.pop("subjects")

        version = d.pop("version")

        searched_database = cls(
            checksum=checksum,
            name=name,
            residues=residues,
            subjects=subjects,
            version=version,
        )

        searched_database.additional_properties = d
        return searched_database

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
