from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="OwnMatrix")


@_attrs_define
class OwnMatrix:
    """A substitution matrix of your own; its `id` works as `matrix` of a search."""

    expires_at: datetime.datetime
    """ When it is removed; searches that were asked for by then go on. """
    id: str
    """ It follows from the scores: equal ones have one id, whoever has sent them. """
    letters: str
    """ The order of the rows, and of the scores in each. """
    scores: list[list[int]]
    """ Those that were sent, and those of letters that were left out. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        expires_at = self.expires_at.isoformat()

        id = self.id

        letters = self.letters

        scores = []
        for scores_item_data in self.scores:
            scores_item = scores_item_data

            scores.append(scores_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "expires_at": expires_at,
                "id": id,
                "letters": letters,
                "scores": scores,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        id = d.pop("id")

        letters = d.pop("letters")

        scores = []
        _scores = d.pop("scores")
        for scores_item_data in _scores:
            scores_item = cast(list[int], scores_item_data)

            scores.append(scores_item)

        own_matrix = cls(
            expires_at=expires_at,
            id=id,
            letters=letters,
            scores=scores,
        )

        own_matrix.additional_properties = d
        return own_matrix

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
