from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="DatabasePart")


@_attrs_define
class DatabasePart:
    """How much of a database is searched where taxids have chosen.

    by_tree: whether all that descends from a taxid is meant with it; not where there are no taxids at all.

    """

    by_tree: bool
    residues: int
    subjects: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        by_tree = self.by_tree

        residues = self.residues

        subjects = self.subjects

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "by_tree": by_tree,
                "residues": residues,
                "subjects": subjects,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        by_tree = d.pop("by_tree")

        residues = d.pop("residues")

        subjects = d.pop("subjects")

        database_part = cls(
            by_tree=by_tree,
            residues=residues,
            subjects=subjects,
        )

        database_part.additional_properties = d
        return database_part

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
