from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.database_part import DatabasePart


T = TypeVar("T", bound="SearchedDatabase")


@_attrs_define
class SearchedDatabase:
    """One of the databases of a search; searched: what of it, where that is not all."""

    checksum: str
    name: str
    residues: int
    subjects: int
    version: str
    searched: DatabasePart | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.database_part import DatabasePart  # noqa: PLC0415

        checksum = self.checksum

        name = self.name

        residues = self.residues

        subjects = self.subjects

        version = self.version

        searched: dict[str, Any] | None | Unset
        if isinstance(self.searched, Unset):
            searched = UNSET
        elif isinstance(self.searched, DatabasePart):
            searched = self.searched.to_dict()
        else:
            searched = self.searched

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
        if searched is not UNSET:
            field_dict["searched"] = searched

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.database_part import DatabasePart  # noqa: PLC0415

        d = dict(src_dict)
        checksum = d.pop("checksum")

        name = d.pop("name")

        residues = d.pop("residues")

        subjects = d.pop("subjects")

        version = d.pop("version")

        def _parse_searched(data: object) -> DatabasePart | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                searched_type_0 = DatabasePart.from_dict(data)

                return searched_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(DatabasePart | None | Unset, data)

        searched = _parse_searched(d.pop("searched", UNSET))

        searched_database = cls(
            checksum=checksum,
            name=name,
            residues=residues,
            subjects=subjects,
            version=version,
            searched=searched,
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
