from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ComparisonLinks")


@_attrs_define
class ComparisonLinks:
    """Where to go on from here; paths on this server."""

    align: str
    cancel: str
    dotplot_png: str
    dotplot_svg: str
    events: str
    records: str
    results: str
    self_: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        align = self.align

        cancel = self.cancel

        dotplot_png = self.dotplot_png

        dotplot_svg = self.dotplot_svg

        events = self.events

        records = self.records

        results = self.results

        self_ = self.self_

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "align": align,
                "cancel": cancel,
                "dotplot_png": dotplot_png,
                "dotplot_svg": dotplot_svg,
                "events": events,
                "records": records,
                "results": results,
                "self": self_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        align = d.pop("align")

        cancel = d.pop("cancel")

        dotplot_png = d.pop("dotplot_png")

        dotplot_svg = d.pop("dotplot_svg")

        events = d.pop("events")

        records = d.pop("records")

        results = d.pop("results")

        self_ = d.pop("self")

        comparison_links = cls(
            align=align,
            cancel=cancel,
            dotplot_png=dotplot_png,
            dotplot_svg=dotplot_svg,
            events=events,
            records=records,
            results=results,
            self_=self_,
        )

        comparison_links.additional_properties = d
        return comparison_links

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
