from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.policy import Policy


T = TypeVar("T", bound="ComparisonCertificate")


@_attrs_define
class ComparisonCertificate:
    """What was done: all HSPs were found, but for those of seeds that the policy has left out."""

    engines: list[str]
    """ What computed: `cpu`, or devices' names. """
    exact: bool
    parts: int
    """ That the HSPs were found in, by any workers. """
    policy: Policy
    """ Which seeds were used: all, or not all of some words.

    sampled_words: of how many words, of both strands; least_frequency: the fewest runs that a word was allowed
    because
    too many words of its unit had too many, null where none had. """
    query_words: int
    """ Words of the query that were listed on each strand: all of them. """
    software: str
    subject_words: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        engines = self.engines

        exact = self.exact

        parts = self.parts

        policy = self.policy.to_dict()

        query_words = self.query_words

        software = self.software

        subject_words = self.subject_words

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "engines": engines,
                "exact": exact,
                "parts": parts,
                "policy": policy,
                "query_words": query_words,
                "software": software,
                "subject_words": subject_words,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.policy import Policy  # noqa: PLC0415

        d = dict(src_dict)
        engines = cast(list[str], d.pop("engines"))

        exact = d.pop("exact")

        parts = d.pop("parts")

        policy = Policy.from_dict(d.pop("policy"))

        query_words = d.pop("query_words")

        software = d.pop("software")

        subject_words = d.pop("subject_words")

        comparison_certificate = cls(
            engines=engines,
            exact=exact,
            parts=parts,
            policy=policy,
            query_words=query_words,
            software=software,
            subject_words=subject_words,
        )

        comparison_certificate.additional_properties = d
        return comparison_certificate

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
