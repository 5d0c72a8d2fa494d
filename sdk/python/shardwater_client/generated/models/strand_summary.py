from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.strand import Strand, check_strand

if TYPE_CHECKING:
    from ..models.counts import Counts


T = TypeVar("T", bound="StrandSummary")


@_attrs_define
class StrandSummary:
    """Of a strand of the subject: its HSPs, and what was counted while they were found."""

    counts: Counts
    """ Of one strand, or a part of it.

    query_words, subject_words: words without unknown letters; seeds: pairs of equal words, taken or not; runs: what
    seeds are together that follow each other on a diagonal; kept: runs that were extended, or with extension
    `blocks`
    the seeds that its filter left; sampled_words: words of which not all runs were taken; least_frequency: the
    fewest
    runs that a word was allowed because its unit had too many, 0 where none had. """
    hsps: int
    strand: Strand
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        counts = self.counts.to_dict()

        hsps = self.hsps

        strand: str = self.strand

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "counts": counts,
                "hsps": hsps,
                "strand": strand,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.counts import Counts  # noqa: PLC0415

        d = dict(src_dict)
        counts = Counts.from_dict(d.pop("counts"))

        hsps = d.pop("hsps")

        strand = check_strand(d.pop("strand"))

        strand_summary = cls(
            counts=counts,
            hsps=hsps,
            strand=strand,
        )

        strand_summary.additional_properties = d
        return strand_summary

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
