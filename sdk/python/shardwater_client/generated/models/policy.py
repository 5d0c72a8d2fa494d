from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.sensitivity import Sensitivity, check_sensitivity

T = TypeVar("T", bound="Policy")


@_attrs_define
class Policy:
    """Which seeds were used: all, or not all of some words.

    sampled_words: of how many words, of both strands; least_frequency: the fewest runs that a word was allowed because
    too many words of its unit had too many, null where none had.

    """

    all_seeds: bool
    least_frequency: int | None
    max_frequency: int | None
    sampled_words: int
    sensitivity: Sensitivity
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        all_seeds = self.all_seeds

        least_frequency: int | None
        least_frequency = self.least_frequency

        max_frequency: int | None
        max_frequency = self.max_frequency

        sampled_words = self.sampled_words

        sensitivity: str = self.sensitivity

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "all_seeds": all_seeds,
                "least_frequency": least_frequency,
                "max_frequency": max_frequency,
                "sampled_words": sampled_words,
                "sensitivity": sensitivity,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        all_seeds = d.pop("all_seeds")

        def _parse_least_frequency(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        least_frequency = _parse_least_frequency(d.pop("least_frequency"))

        def _parse_max_frequency(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        max_frequency = _parse_max_frequency(d.pop("max_frequency"))

        sampled_words = d.pop("sampled_words")

        sensitivity = check_sensitivity(d.pop("sensitivity"))

        policy = cls(
            all_seeds=all_seeds,
            least_frequency=least_frequency,
            max_frequency=max_frequency,
            sampled_words=sampled_words,
            sensitivity=sensitivity,
        )

        policy.additional_properties = d
        return policy

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
