from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.side_coverage import SideCoverage


T = TypeVar("T", bound="Coverage")


@_attrs_define
class Coverage:
    """Both ways, and GECKO's: equal letters of alignments of 80 % identity or more, in per cent of the query's letters.

    GECKO's counts a letter as often as it is aligned, so that repeats may make it more than 100.

    """

    gecko: float
    query: SideCoverage
    """ Of a genome: the letters under alignments, each once, in per cent of all; and of its longest records. """
    subject: SideCoverage
    """ Of a genome: the letters under alignments, each once, in per cent of all; and of its longest records. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        gecko = self.gecko

        query = self.query.to_dict()

        subject = self.subject.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "gecko": gecko,
                "query": query,
                "subject": subject,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.side_coverage import SideCoverage  # noqa: PLC0415

        d = dict(src_dict)
        gecko = d.pop("gecko")

        query = SideCoverage.from_dict(d.pop("query"))

        subject = SideCoverage.from_dict(d.pop("subject"))

        coverage = cls(
            gecko=gecko,
            query=query,
            subject=subject,
        )

        coverage.additional_properties = d
        return coverage

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
