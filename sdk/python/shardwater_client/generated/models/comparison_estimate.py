from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.comparison_parameters import ComparisonParameters


T = TypeVar("T", bound="ComparisonEstimate")


@_attrs_define
class ComparisonEstimate:
    """What a comparison would take if it were submitted now."""

    letters: int
    """ Of both genomes, once for each strand that is compared: the work. """
    parameters: ComparisonParameters
    """ How genomes are compared. """
    position: int
    """ Jobs before it. """
    queue_seconds: float
    """ Until it would begin. """
    quota_cost: int
    """ Cells that it would be charged with: 1,000 for each of these letters, and with `gapped` 1,000 for each
    letter of both genomes; 0 if an earlier comparison answers it. Should the boxes have more cells, these are
    charged once they are known. """
    reused: bool
    """ Whether an earlier comparison would answer it. """
    seconds: float
    """ This comparison alone; with `gapped`, for 1,000 cells of boxes a letter. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        letters = self.letters

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
                "letters": letters,
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
        from ..models.comparison_parameters import ComparisonParameters  # noqa: PLC0415

        d = dict(src_dict)
        letters = d.pop("letters")

        parameters = ComparisonParameters.from_dict(d.pop("parameters"))

        position = d.pop("position")

        queue_seconds = d.pop("queue_seconds")

        quota_cost = d.pop("quota_cost")

        reused = d.pop("reused")

        seconds = d.pop("seconds")

        comparison_estimate = cls(
            letters=letters,
            parameters=parameters,
            position=position,
            queue_seconds=queue_seconds,
            quota_cost=quota_cost,
            reused=reused,
            seconds=seconds,
        )

        comparison_estimate.additional_properties = d
        return comparison_estimate

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
