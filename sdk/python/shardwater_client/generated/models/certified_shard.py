from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="CertifiedShard")


@_attrs_define
class CertifiedShard:
    """What one shard's worker counted; index: of the shard in its database, whose name earlier versions do not say."""

    cells: int
    engine: str
    index: int
    residues: int
    subjects: int
    database: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells = self.cells

        engine = self.engine

        index = self.index

        residues = self.residues

        subjects = self.subjects

        database: None | str | Unset
        if isinstance(self.database, Unset):
            database = UNSET
        else:
            database = self.database

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
        if database is not UNSET:
            field_dict["database"] = database

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        cells = d.pop("cells")

        engine = d.pop("engine")

        index = d.pop("index")

        residues = d.pop("residues")

        subjects = d.pop("subjects")

        def _parse_database(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        database = _parse_database(d.pop("database", UNSET))

        certified_shard = cls(
            cells=cells,
            engine=engine,
            index=index,
            residues=residues,
            subjects=subjects,
            database=database,
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
