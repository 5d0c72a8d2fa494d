from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="CertifiedShard")


@_attrs_define
class CertifiedShard:
    """What one shard's worker counted."""

    cells: int
    engine: str
    index: int
    residues: int
    subjects: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells = self.cells

        engine = self.engine

        index = self.index

        residues = self.residues

        subjects = self.subjects

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cells": cells,
                "engine": engine,
                "index": index,
                "residues": residues,
                "subjects": subjects,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        cells = d.pop("cells")

        engine = d.pop("engine")

        index = d.pop("index")

        residues = d.pop("residues")

        subjects = d.pop("subjects")

        certified_shard = cls(
            cells=cells,
            engine=engine,
            index=index,
            residues=residues,
            subjects=subjects,
        )

        certified_shard.additional_properties = d
        return certified_shard

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
