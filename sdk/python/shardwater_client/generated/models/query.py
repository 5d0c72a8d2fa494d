from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.query_mask import QueryMask
    from ..models.query_replaced import QueryReplaced


T = TypeVar("T", bound="Query")


@_attrs_define
class Query:
    """A query as it was read; replaced counts its letters searched that score as X, by upper-case letter.

    masked is None where there is no mask; profile, the digest of the scores that it was searched with, without a PSSM.

    """

    id: str
    length: int
    replaced: QueryReplaced
    title: str
    masked: None | QueryMask | Unset = UNSET
    profile: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.query_mask import QueryMask  # noqa: PLC0415

        id = self.id

        length = self.length

        replaced = self.replaced.to_dict()

        title = self.title

        masked: dict[str, Any] | None | Unset
        if isinstance(self.masked, Unset):
            masked = UNSET
        elif isinstance(self.masked, QueryMask):
            masked = self.masked.to_dict()
        else:
            masked = self.masked

        profile: None | str | Unset
        if isinstance(self.profile, Unset):
            profile = UNSET
        else:
            profile = self.profile

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
        if masked is not UNSET:
            field_dict["masked"] = masked
        if profile is not UNSET:
            field_dict["profile"] = profile

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.query_mask import QueryMask  # noqa: PLC0415
        from ..models.query_replaced import QueryReplaced  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        length = d.pop("length")

        replaced = QueryReplaced.from_dict(d.pop("replaced"))

        title = d.pop("title")

        def _parse_masked(data: object) -> None | QueryMask | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                masked_type_0 = QueryMask.from_dict(data)

                return masked_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | QueryMask | Unset, data)

        masked = _parse_masked(d.pop("masked", UNSET))

        def _parse_profile(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        profile = _parse_profile(d.pop("profile", UNSET))

        query = cls(
            id=id,
            length=length,
            replaced=replaced,
            title=title,
            masked=masked,
            profile=profile,
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
