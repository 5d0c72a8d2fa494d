from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MsaLinks")


@_attrs_define
class MsaLinks:
    """Where to go on from here; paths on this server."""

    cancel: str
    events: str
    results: str
    self_: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cancel = self.cancel

        events = self.events

        results = self.results

        self_ = self.self_

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cancel": cancel,
                "events": events,
                "results": results,
                "self": self_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        cancel = d.pop("cancel")

        events = d.pop("events")

        results = d.pop("results")

        self_ = d.pop("self")

        msa_links = cls(
            cancel=cancel,
            events=events,
            results=results,
            self_=self_,
        )

        msa_links.additional_properties = d
        return msa_links

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
