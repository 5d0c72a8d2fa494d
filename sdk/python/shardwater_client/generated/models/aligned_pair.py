from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="AlignedPair")


@_attrs_define
class AlignedPair:
    """A pair and an alignment of it; null is what was not asked for, or there is no local alignment."""

    align_len: int | None
    cigar: None | str
    gaps: int | None
    identity: int | None
    """ Columns of two letters that are the same. """
    positive: int | None
    """ Columns of two letters that are the same or score above 0. """
    query: str
    query_from: int | None
    """ From 1, and in the alignment, as are the others. """
    query_to: int | None
    rank: int
    """ 1: the best alignment of the pair; where `best` asks for several, the next follow. """
    score: float
    strand: str
    """ `-`: the query's reverse complement was aligned. """
    subject: str
    subject_from: int | None
    subject_to: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        align_len: int | None
        align_len = self.align_len

        cigar: None | str
        cigar = self.cigar

        gaps: int | None
        gaps = self.gaps

        identity: int | None
        identity = self.identity

        positive: int | None
        positive = self.positive

        query = self.query

        query_from: int | None
        query_from = self.query_from

        query_to: int | None
        query_to = self.query_to

        rank = self.rank

        score = self.score

        strand = self.strand

        subject = self.subject

        subject_from: int | None
        subject_from = self.subject_from

        subject_to: int | None
        subject_to = self.subject_to

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "align_len": align_len,
                "cigar": cigar,
                "gaps": gaps,
                "identity": identity,
                "positive": positive,
                "query": query,
                "query_from": query_from,
                "query_to": query_to,
                "rank": rank,
                "score": score,
                "strand": strand,
                "subject": subject,
                "subject_from": subject_from,
                "subject_to": subject_to,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_align_len(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        align_len = _parse_align_len(d.pop("align_len"))

        def _parse_cigar(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        cigar = _parse_cigar(d.pop("cigar"))

        def _parse_gaps(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        gaps = _parse_gaps(d.pop("gaps"))

        def _parse_identity(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        identity = _parse_identity(d.pop("identity"))

        def _parse_positive(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        positive = _parse_positive(d.pop("positive"))

        query = d.pop("query")

        def _parse_query_from(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        query_from = _parse_query_from(d.pop("query_from"))

        def _parse_query_to(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        query_to = _parse_query_to(d.pop("query_to"))

        rank = d.pop("rank")

        score = d.pop("score")

        strand = d.pop("strand")

        subject = d.pop("subject")

        def _parse_subject_from(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        subject_from = _parse_subject_from(d.pop("subject_from"))

        def _parse_subject_to(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        subject_to = _parse_subject_to(d.pop("subject_to"))

        aligned_pair = cls(
            align_len=align_len,
            cigar=cigar,
            gaps=gaps,
            identity=identity,
            positive=positive,
            query=query,
            query_from=query_from,
            query_to=query_to,
            rank=rank,
            score=score,
            strand=strand,
            subject=subject,
            subject_from=subject_from,
            subject_to=subject_to,
        )

        aligned_pair.additional_properties = d
        return aligned_pair

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
