from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Counts")


@_attrs_define
class Counts:
    """Of one strand, or a part of it.

    query_words, subject_words: words without unknown letters; seeds: pairs of equal words, taken or not; runs: what
    seeds are together that follow each other on a diagonal; kept: runs that were extended, or with extension `blocks`
    the seeds that its filter left; sampled_words: words of which not all runs were taken; least_frequency: the fewest
    runs that a word was allowed because its unit had too many, 0 where none had.

    """

    kept: int | Unset = 0
    least_frequency: int | Unset = 0
    query_words: int | Unset = 0
    runs: int | Unset = 0
    sampled_words: int | Unset = 0
    seeds: int | Unset = 0
    subject_words: int | Unset = 0
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kept = self.kept

        least_frequency = self.least_frequency

        query_words = self.query_words

        runs = self.runs

        sampled_words = self.sampled_words

        seeds = self.seeds

        subject_words = self.subject_words

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if kept is not UNSET:
            field_dict["kept"] = kept
        if least_frequency is not UNSET:
            field_dict["least_frequency"] = least_frequency
        if query_words is not UNSET:
            field_dict["query_words"] = query_words
        if runs is not UNSET:
            field_dict["runs"] = runs
        if sampled_words is not UNSET:
            field_dict["sampled_words"] = sampled_words
        if seeds is not UNSET:
            field_dict["seeds"] = seeds
        if subject_words is not UNSET:
            field_dict["subject_words"] = subject_words

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kept = d.pop("kept", UNSET)

        least_frequency = d.pop("least_frequency", UNSET)

        query_words = d.pop("query_words", UNSET)

        runs = d.pop("runs", UNSET)

        sampled_words = d.pop("sampled_words", UNSET)

        seeds = d.pop("seeds", UNSET)

        subject_words = d.pop("subject_words", UNSET)

        counts = cls(
            kept=kept,
            least_frequency=least_frequency,
            query_words=query_words,
            runs=runs,
            sampled_words=sampled_words,
            seeds=seeds,
            subject_words=subject_words,
        )

        counts.additional_properties = d
        return counts

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
