from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.msa_parameters import MsaParameters


T = TypeVar("T", bound="MsaEstimate")


@_attrs_define
class MsaEstimate:
    """What MSAs would take if they were submitted now."""

    cells: int
    """ Residues x residues of the databases, for each round that is asked for; and those of as many members of
    clusters as may be rows: the work, where no chain is there and no round is spared. """
    chains: int
    """ That differ: each of them is searched for once. """
    parameters: MsaParameters
    """ What was asked for, besides the queries. """
    position: int
    """ Jobs before it. """
    queue_seconds: float
    """ Until the first of them would begin. """
    quota_cost: int
    """ Cells that they would be charged with: of chains that are not there yet. """
    residues: int
    """ Of these chains. """
    reused: bool
    """ Whether earlier jobs have searched for all of the chains, or do; the seconds are those that they have left.
    """
    seconds: float
    """ These chains alone, in all rounds that are asked for. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells = self.cells

        chains = self.chains

        parameters = self.parameters.to_dict()

        position = self.position

        queue_seconds = self.queue_seconds

        quota_cost = self.quota_cost

        residues = self.residues

        reused = self.reused

        seconds = self.seconds

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cells": cells,
                "chains": chains,
                "parameters": parameters,
                "position": position,
                "queue_seconds": queue_seconds,
                "quota_cost": quota_cost,
                "residues": residues,
                "reused": reused,
                "seconds": seconds,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.msa_parameters import MsaParameters  # noqa: PLC0415

        d = dict(src_dict)
        cells = d.pop("cells")

        chains = d.pop("chains")

        parameters = MsaParameters.from_dict(d.pop("parameters"))

        position = d.pop("position")

        queue_seconds = d.pop("queue_seconds")

        quota_cost = d.pop("quota_cost")

        residues = d.pop("residues")

        reused = d.pop("reused")

        seconds = d.pop("seconds")

        msa_estimate = cls(
            cells=cells,
            chains=chains,
            parameters=parameters,
            position=position,
            queue_seconds=queue_seconds,
            quota_cost=quota_cost,
            residues=residues,
            reused=reused,
            seconds=seconds,
        )

        msa_estimate.additional_properties = d
        return msa_estimate

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
