from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Masked")


@_attrs_define
class Masked:
    """What a mask leaves of a hit.

    score: that of the best part of its alignment where masked letters count as X. query_letters and subject_letters are
    those masked of what is aligned.

    """

    query_letters: int
    score: int
    subject_letters: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        query_letters = self.query_letters

        score = self.score

        subject_letters = self.subject_letters

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "query_letters": query_letters,
                "score": score,
                "subject_letters": subject_letters,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        query_letters = d.pop("query_letters")

        score = d.pop("score")

        subject_letters = d.pop("subject_letters")

        masked = cls(
            query_letters=query_letters,
            score=score,
            subject_letters=subject_letters,
        )

        masked.additional_properties = d
        return masked

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
