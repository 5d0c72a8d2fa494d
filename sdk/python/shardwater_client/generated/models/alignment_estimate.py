from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.pair_parameters import PairParameters


T = TypeVar("T", bound="AlignmentEstimate")


@_attrs_define
class AlignmentEstimate:
    """What a job of pairs would take if it were submitted now."""

    cells: int
    """ Of all pairs and strands: the work. """
    pairs: int
    parameters: PairParameters
    """ How pairs are aligned. """
    position: int
    """ Jobs before it. """
    queue_seconds: float
    """ Until it would begin. """
    quota_cost: int
    """ Cells that it would be charged with, 10,000 an alignment at least; 0 if an earlier job answers it. """
    reused: bool
    """ Whether an earlier job would answer it. """
    seconds: float
    """ This job alone. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells = self.cells

        pairs = self.pairs

        parameters = self.parameters.to_dict()

        position = self.position

        queue_seconds = self.queue_seconds

        quota_cost = self.quota_cost

        reused = self.reused

        seconds = self.seconds

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cells": cells,
                "pairs": pairs,
                "parameters": parameters,
                "position": position,
                "queue_seconds": queue_seconds,
                "quota_cost": quota_cost,
                "reused": reused,
                "seconds": seconds,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.pair_parameters import PairParameters  # noqa: PLC0415

        d = dict(src_dict)
        cells = d.pop("cells")

        pairs = d.pop("pairs")

        parameters = PairParameters.from_dict(d.pop("parameters"))

        position = d.pop("position")

        queue_seconds = d.pop("queue_seconds")

        quota_cost = d.pop("quota_cost")

        reused = d.pop("reused")

        seconds = d.pop("seconds")

        alignment_estimate = cls(
            cells=cells,
            pairs=pairs,
            parameters=parameters,
            position=position,
            queue_seconds=queue_seconds,
            quota_cost=quota_cost,
            reused=reused,
            seconds=seconds,
        )

        alignment_estimate.additional_properties = d
        return alignment_estimate

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
