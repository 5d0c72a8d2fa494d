from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MsaMembers")


@_attrs_define
class MsaMembers:
    """What became of members of clusters, which no search looks at: representatives alone are searched."""

    aligned: int
    """ Members of clusters whose representatives are hits, aligned with the query. """
    left_out: int
    """ Members of hits' clusters for which `max_sequences` has left no room. """
    rows: int
    """ Of these, those whose E-value is within the limit; they count as found. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        aligned = self.aligned

        left_out = self.left_out

        rows = self.rows

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "aligned": aligned,
                "left_out": left_out,
                "rows": rows,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        aligned = d.pop("aligned")

        left_out = d.pop("left_out")

        rows = d.pop("rows")

        msa_members = cls(
            aligned=aligned,
            left_out=left_out,
            rows=rows,
        )

        msa_members.additional_properties = d
        return msa_members

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
