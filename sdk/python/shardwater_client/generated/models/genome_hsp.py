from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.strand import Strand, check_strand

T = TypeVar("T", bound="GenomeHsp")


@_attrs_define
class GenomeHsp:
    """A stretch that both genomes share: an HSP, or an alignment with gaps where these were asked for."""

    cigar: None | str
    """ Along the subject; null of HSPs, which have no gaps. """
    identity: float
    """ These in per cent of all columns. """
    length: int
    """ Columns. """
    matches: int
    """ Columns of two known letters that are the same. """
    query: str
    query_from: int
    """ In its record, from 1, forward, and in the HSP, as are the others. """
    query_to: int
    score: int
    strand: Strand
    subject: str
    subject_from: int
    subject_to: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cigar: None | str
        cigar = self.cigar

        identity = self.identity

        length = self.length

        matches = self.matches

        query = self.query

        query_from = self.query_from

        query_to = self.query_to

        score = self.score

        strand: str = self.strand

        subject = self.subject

        subject_from = self.subject_from

        subject_to = self.subject_to

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cigar": cigar,
                "identity": identity,
                "length": length,
                "matches": matches,
                "query": query,
                "query_from": query_from,
                "query_to": query_to,
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

        def _parse_cigar(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        cigar = _parse_cigar(d.pop("cigar"))

        identity = d.pop("identity")

        length = d.pop("length")

        matches = d.pop("matches")

        query = d.pop("query")

        query_from = d.pop("query_from")

        query_to = d.pop("query_to")

        score = d.pop("score")

        strand = check_strand(d.pop("strand"))

        subject = d.pop("subject")

        subject_from = d.pop("subject_from")

        subject_to = d.pop("subject_to")

        genome_hsp = cls(
            cigar=cigar,
            identity=identity,
            length=length,
            matches=matches,
            query=query,
            query_from=query_from,
            query_to=query_to,
            score=score,
            strand=strand,
            subject=subject,
            subject_from=subject_from,
            subject_to=subject_to,
        )

        genome_hsp.additional_properties = d
        return genome_hsp

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
