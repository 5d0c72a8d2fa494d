from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.genome_record import GenomeRecord


T = TypeVar("T", bound="ComparisonRecords")


@_attrs_define
class ComparisonRecords:
    """The records of both genomes, in their order, whole also where regions alone are compared."""

    query: list[GenomeRecord]
    subject: list[GenomeRecord]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        query = []
        for query_item_data in self.query:
            query_item = query_item_data.to_dict()
            query.append(query_item)

        subject = []
        for subject_item_data in self.subject:
            subject_item = subject_item_data.to_dict()
            subject.append(subject_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "query": query,
                "subject": subject,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.genome_record import GenomeRecord  # noqa: PLC0415

        d = dict(src_dict)
        query = []
        _query = d.pop("query")
        for query_item_data in _query:
            query_item = GenomeRecord.from_dict(query_item_data)

            query.append(query_item)

        subject = []
        _subject = d.pop("subject")
        for subject_item_data in _subject:
            subject_item = GenomeRecord.from_dict(subject_item_data)

            subject.append(subject_item)

        comparison_records = cls(
            query=query,
            subject=subject,
        )

        comparison_records.additional_properties = d
        return comparison_records

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
