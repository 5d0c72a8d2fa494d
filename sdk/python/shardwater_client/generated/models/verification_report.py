from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.difference import Difference


T = TypeVar("T", bound="VerificationReport")


@_attrs_define
class VerificationReport:
    """What a verification has found."""

    cells: int
    """ Scored anew. """
    changed: str
    """ How the stored result, its digest or its signature shows that it was changed; else empty. """
    differences: list[Difference]
    """ The first 20. """
    equal: bool
    """ Whether all that was compared is equal, and the stored result has its digest. """
    software: str
    """ The version of Shardwater that has computed anew. """
    stored_digest: None | str
    """ The stored result's; null where an earlier version has made it. """
    subjects: int
    """ Scored anew for each query; of a sample its hits aside. """
    total: int
    """ How many differences there are. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells = self.cells

        changed = self.changed

        differences = []
        for differences_item_data in self.differences:
            differences_item = differences_item_data.to_dict()
            differences.append(differences_item)

        equal = self.equal

        software = self.software

        stored_digest: None | str
        stored_digest = self.stored_digest

        subjects = self.subjects

        total = self.total

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cells": cells,
                "changed": changed,
                "differences": differences,
                "equal": equal,
                "software": software,
                "stored_digest": stored_digest,
                "subjects": subjects,
                "total": total,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.difference import Difference  # noqa: PLC0415

        d = dict(src_dict)
        cells = d.pop("cells")

        changed = d.pop("changed")

        differences = []
        _differences = d.pop("differences")
        for differences_item_data in _differences:
            differences_item = Difference.from_dict(differences_item_data)

            differences.append(differences_item)

        equal = d.pop("equal")

        software = d.pop("software")

        def _parse_stored_digest(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        stored_digest = _parse_stored_digest(d.pop("stored_digest"))

        subjects = d.pop("subjects")

        total = d.pop("total")

        verification_report = cls(
            cells=cells,
            changed=changed,
            differences=differences,
            equal=equal,
            software=software,
            stored_digest=stored_digest,
            subjects=subjects,
            total=total,
        )

        verification_report.additional_properties = d
        return verification_report

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
