from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.certified_shard import CertifiedShard


T = TypeVar("T", bound="Certificate")


@_attrs_define
class Certificate:
    """That every subject was scored against every query: the sums are of what the shards' engines counted (extent.py).

    They equal the databases' size, and cells its residues times those of all queries; else there is no result.

    """

    cells: int
    exact: bool
    residues: int
    shards: list[CertifiedShard]
    subjects: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells = self.cells

        exact = self.exact

        residues = self.residues

        shards = []
        for shards_item_data in self.shards:
            shards_item = shards_item_data.to_dict()
            shards.append(shards_item)

        subjects = self.subjects

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cells": cells,
                "exact": exact,
                "residues": residues,
                "shards": shards,
                "subjects": subjects,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.certified_shard import CertifiedShard  # noqa: PLC0415

        d = dict(src_dict)
        cells = d.pop("cells")

        exact = d.pop("exact")

        residues = d.pop("residues")

        shards = []
        _shards = d.pop("shards")
        for shards_item_data in _shards:
            shards_item = CertifiedShard.from_dict(shards_item_data)

            shards.append(shards_item)

        subjects = d.pop("subjects")

        certificate = cls(
            cells=cells,
            exact=exact,
            residues=residues,
            shards=shards,
            subjects=subjects,
        )

        certificate.additional_properties = d
        return certificate

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
