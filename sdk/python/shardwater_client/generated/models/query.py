from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.query_replaced import QueryReplaced


T = TypeVar("T", bound="Query")


@_attrs_define
class Query:
    """A query as it was read; replaced counts its letters searched that score as X, by upper-case letter."""

    id: str
    length: int
    replaced: QueryReplaced
    title: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        length = self.length

        replaced = self.replaced.to_dict()

        title = self.title

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "length": length,
                "replaced": replaced,
                "title": title,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.query_replaced import QueryReplaced  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        length = d.pop("length")

        replaced = QueryReplaced.from_dict(d.pop("replaced"))

        title = d.pop("title")

        query = cls(
            id=id,
            length=length,
            replaced=replaced,
            title=title,
        )

        query.additional_properties = d
        return query

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
