from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.strand import Strand, check_strand
from ..models.synteny_kind import SyntenyKind, check_synteny_kind

T = TypeVar("T", bound="SyntenyBlock")


@_attrs_define
class SyntenyBlock:
    """A block of two genomes and what it is; places from 1, the last one included, in its records.

    strand: `-` where the query's reverse complement is aligned, of any kind; score, length, matches: sums of its
    alignments' scores, columns, and columns of two equal letters; identity: these in per cent.

    """

    identity: float
    kind: SyntenyKind
    length: int
    matches: int
    query: str
    query_from: int
    query_to: int
    score: int
    strand: Strand
    subject: str
    subject_from: int
    subject_to: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        identity = self.identity

        kind: str = self.kind

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
                "identity": identity,
                "kind": kind,
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
        identity = d.pop("identity")

        kind = check_synteny_kind(d.pop("kind"))

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

        synteny_block = cls(
            identity=identity,
            kind=kind,
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

        synteny_block.additional_properties = d
        return synteny_block

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
