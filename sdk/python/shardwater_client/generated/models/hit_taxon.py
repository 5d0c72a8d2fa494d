from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="HitTaxon")


@_attrs_define
class HitTaxon:
    """A taxon that hits are of, or that these descend from."""

    hits: int
    """ Hits that are of it, or descend from it. """
    name: str
    """ Its scientific name; empty where nobody says it. """
    parent: int | None
    """ The taxid of the nearest one above that is listed; null at the top. """
    rank: str
    """ As `species`; empty where the database has no tree of taxa. """
    ranks: str
    """ The ranks of these, as `hits` of a result takes them: 1,5,9-12. """
    taxid: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        hits = self.hits

        name = self.name

        parent: int | None
        parent = self.parent

        rank = self.rank

        ranks = self.ranks

        taxid = self.taxid

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "hits": hits,
                "name": name,
                "parent": parent,
                "rank": rank,
                "ranks": ranks,
                "taxid": taxid,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        hits = d.pop("hits")

        name = d.pop("name")

        def _parse_parent(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        parent = _parse_parent(d.pop("parent"))

        rank = d.pop("rank")

        ranks = d.pop("ranks")

        taxid = d.pop("taxid")

        hit_taxon = cls(
            hits=hits,
            name=name,
            parent=parent,
            rank=rank,
            ranks=ranks,
            taxid=taxid,
        )

        hit_taxon.additional_properties = d
        return hit_taxon

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
