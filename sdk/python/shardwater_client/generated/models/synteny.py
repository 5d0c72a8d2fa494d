from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.kind_counts import KindCounts
    from ..models.synteny_block import SyntenyBlock


T = TypeVar("T", bound="Synteny")


@_attrs_define
class Synteny:
    """The chains of two genomes: how many there are, how many blocks of each kind, and the best MOST_BLOCKS blocks."""

    blocks: list[SyntenyBlock]
    chains: int
    counts: KindCounts
    """ How many blocks are of each kind. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        blocks = []
        for blocks_item_data in self.blocks:
            blocks_item = blocks_item_data.to_dict()
            blocks.append(blocks_item)

        chains = self.chains

        counts = self.counts.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "blocks": blocks,
                "chains": chains,
                "counts": counts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.kind_counts import KindCounts  # noqa: PLC0415
        from ..models.synteny_block import SyntenyBlock  # noqa: PLC0415

        d = dict(src_dict)
        blocks = []
        _blocks = d.pop("blocks")
        for blocks_item_data in _blocks:
            blocks_item = SyntenyBlock.from_dict(blocks_item_data)

            blocks.append(blocks_item)

        chains = d.pop("chains")

        counts = KindCounts.from_dict(d.pop("counts"))

        synteny = cls(
            blocks=blocks,
            chains=chains,
            counts=counts,
        )

        synteny.additional_properties = d
        return synteny

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
