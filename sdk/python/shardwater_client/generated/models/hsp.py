from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Hsp")


@_attrs_define
class Hsp:
    """One alignment as BLAST counts it: 1-based inclusive ends, columns by kind, and its three rows."""

    align_len: int
    cigar: str
    gaps: int
    hit_from: int
    hit_to: int
    hseq: str
    identity: int
    midline: str
    positive: int
    qseq: str
    query_from: int
    query_to: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        align_len = self.align_len

        cigar = self.cigar

        gaps = self.gaps

        hit_from = self.hit_from

        hit_to = self.hit_to

        hseq = self.hseq

        identity = self.identity

        midline = self.midline

        positive = self.positive

        qseq = self.qseq

        query_from = self.query_from

        query_to = self.query_to

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "align_len": align_len,
                "cigar": cigar,
                "gaps": gaps,
                "hit_from": hit_from,
                "hit_to": hit_to,
                "hseq": hseq,
                "identity": identity,
                "midline": midline,
                "positive": positive,
                "qseq": qseq,
                "query_from": query_from,
                "query_to": query_to,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        align_len = d.pop("align_len")

        cigar = d.pop("cigar")

        gaps = d.pop("gaps")

        hit_from = d.pop("hit_from")

        hit_to = d.pop("hit_to")

        hseq = d.pop("hseq")

        identity = d.pop("identity")

        midline = d.pop("midline")

        positive = d.pop("positive")

        qseq = d.pop("qseq")

        query_from = d.pop("query_from")

        query_to = d.pop("query_to")

        hsp = cls(
            align_len=align_len,
            cigar=cigar,
            gaps=gaps,
            hit_from=hit_from,
            hit_to=hit_to,
            hseq=hseq,
            identity=identity,
            midline=midline,
            positive=positive,
            qseq=qseq,
            query_from=query_from,
            query_to=query_to,
        )

        hsp.additional_properties = d
        return hsp

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
