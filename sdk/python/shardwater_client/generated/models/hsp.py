from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Hsp")


@_attrs_define
class Hsp:
    """One alignment as BLAST counts it: 1-based inclusive ends, columns by kind, its three rows, and what it is worth.

    Earlier versions have left the score out, as 0, and with it bits and E-value: it was that of the hit. Bits and
    E-value come with the whole database's statistics, and are None without any.

    """

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
    bits: float | None | Unset = UNSET
    evalue: float | None | Unset = UNSET
    score: int | Unset = 0
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

        bits: float | None | Unset
        if isinstance(self.bits, Unset):
            bits = UNSET
        else:
            bits = self.bits

        evalue: float | None | Unset
        if isinstance(self.evalue, Unset):
            evalue = UNSET
        else:
            evalue = self.evalue

        score = self.score

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
        if bits is not UNSET:
            field_dict["bits"] = bits
        if evalue is not UNSET:
            field_dict["evalue"] = evalue
        if score is not UNSET:
            field_dict["score"] = score

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

        def _parse_bits(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        bits = _parse_bits(d.pop("bits", UNSET))

        def _parse_evalue(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        evalue = _parse_evalue(d.pop("evalue", UNSET))

        score = d.pop("score", UNSET)

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
            bits=bits,
            evalue=evalue,
            score=score,
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
