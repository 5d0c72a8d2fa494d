from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="PairBounds")


@_attrs_define
class PairBounds:
    """What one job of pairs may be."""

    max_alignment_cells: int
    """ The same of all pairs. """
    max_pair_cells: int
    """ Letters of the query x letters of the subject of one pair. """
    max_pairs: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        max_alignment_cells = self.max_alignment_cells

        max_pair_cells = self.max_pair_cells

        max_pairs = self.max_pairs

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "max_alignment_cells": max_alignment_cells,
                "max_pair_cells": max_pair_cells,
                "max_pairs": max_pairs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        max_alignment_cells = d.pop("max_alignment_cells")

        max_pair_cells = d.pop("max_pair_cells")

        max_pairs = d.pop("max_pairs")

        pair_bounds = cls(
            max_alignment_cells=max_alignment_cells,
            max_pair_cells=max_pair_cells,
            max_pairs=max_pairs,
        )

        pair_bounds.additional_properties = d
        return pair_bounds

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
