from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Difference")


@_attrs_define
class Difference:
    """A member that has one value in the stored result, and another one when it is computed anew."""

    accession: str
    computed: None | str
    """ The same computed anew. """
    member: str
    """ The member's path; empty for a whole hit. """
    query: int | None
    """ Number of the query, from 1; null for what belongs to the whole result. """
    query_id: str
    rank: int | None
    """ The hit's place in the list where it stands, from 1. """
    stored: None | str
    """ Its JSON, the middle of a long one; null where it is missing. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        accession = self.accession

        computed: None | str
        computed = self.computed

        member = self.member

        query: int | None
        query = self.query

        query_id = self.query_id

        rank: int | None
        rank = self.rank

        stored: None | str
        stored = self.stored

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "accession": accession,
                "computed": computed,
                "member": member,
                "query": query,
                "query_id": query_id,
                "rank": rank,
                "stored": stored,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        accession = d.pop("accession")

        def _parse_computed(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        computed = _parse_computed(d.pop("computed"))

        member = d.pop("member")

        def _parse_query(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        query = _parse_query(d.pop("query"))

        query_id = d.pop("query_id")

        def _parse_rank(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        rank = _parse_rank(d.pop("rank"))

        def _parse_stored(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        stored = _parse_stored(d.pop("stored"))

        difference = cls(
            accession=accession,
            computed=computed,
            member=member,
            query=query,
            query_id=query_id,
            rank=rank,
            stored=stored,
        )

        difference.additional_properties = d
        return difference

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
