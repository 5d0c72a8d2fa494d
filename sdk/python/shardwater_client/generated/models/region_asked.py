from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.genome_side import GenomeSide, check_genome_side

T = TypeVar("T", bound="RegionAsked")


@_attrs_define
class RegionAsked:
    """Letters of a record of one side, counted from 1, the last one with them."""

    from_: int
    record: str
    """ Its name; or `#2`, where several have one: the second of its genome, if none is called so. """
    side: GenomeSide
    to: int

    def to_dict(self) -> dict[str, Any]:
        from_ = self.from_

        record = self.record

        side: str = self.side

        to = self.to

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "from": from_,
                "record": record,
                "side": side,
                "to": to,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        from_ = d.pop("from")

        record = d.pop("record")

        side = check_genome_side(d.pop("side"))

        to = d.pop("to")

        region_asked = cls(
            from_=from_,
            record=record,
            side=side,
            to=to,
        )

        return region_asked
