from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MsaColumns")


@_attrs_define
class MsaColumns:
    """What the columns of an MSA have: a number for each of the query's positions. The query counts as a row."""

    chain: int
    """ From 1. """
    depth: list[int]
    """ Rows with a letter there. """
    entropy: list[float]
    """ Of the residues, in bits: 0 where all are the same, log2(20) at most; gaps are left out. """
    id: str
    identical: list[int]
    """ Rows with the query's letter. """
    residues: str
    """ Of the query. """
    rows: int
    """ With the query. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        chain = self.chain

        depth = self.depth

        entropy = self.entropy

        id = self.id

        identical = self.identical

        residues = self.residues

        rows = self.rows

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "chain": chain,
                "depth": depth,
                "entropy": entropy,
                "id": id,
                "identical": identical,
                "residues": residues,
                "rows": rows,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        chain = d.pop("chain")

        depth = cast(list[int], d.pop("depth"))

        entropy = cast(list[float], d.pop("entropy"))

        id = d.pop("id")

        identical = cast(list[int], d.pop("identical"))

        residues = d.pop("residues")

        rows = d.pop("rows")

        msa_columns = cls(
            chain=chain,
            depth=depth,
            entropy=entropy,
            id=id,
            identical=identical,
            residues=residues,
            rows=rows,
        )

        msa_columns.additional_properties = d
        return msa_columns

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
