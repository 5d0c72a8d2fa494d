from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.pair_certificate_ways import PairCertificateWays


T = TypeVar("T", bound="PairCertificate")


@_attrs_define
class PairCertificate:
    """What was done: every pair was aligned, exactly."""

    cells: int
    """ Letters of one sequence x letters of the other, of all pairs and strands. """
    engines: list[str]
    """ What computed: `cpu`, or devices' names. """
    exact: bool
    pairs: int
    parts: int
    """ That the pairs were done in, by any workers. """
    software: str
    ways: PairCertificateWays
    """ Pairs by how they were computed: `batch`, with others on a GPU; `long`, by all of a GPU; `cpu`. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells = self.cells

        engines = self.engines

        exact = self.exact

        pairs = self.pairs

        parts = self.parts

        software = self.software

        ways = self.ways.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "cells": cells,
                "engines": engines,
                "exact": exact,
                "pairs": pairs,
                "parts": parts,
                "software": software,
                "ways": ways,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.pair_certificate_ways import PairCertificateWays  # noqa: PLC0415

        d = dict(src_dict)
        cells = d.pop("cells")

        engines = cast(list[str], d.pop("engines"))

        exact = d.pop("exact")

        pairs = d.pop("pairs")

        parts = d.pop("parts")

        software = d.pop("software")

        ways = PairCertificateWays.from_dict(d.pop("ways"))

        pair_certificate = cls(
            cells=cells,
            engines=engines,
            exact=exact,
            pairs=pairs,
            parts=parts,
            software=software,
            ways=ways,
        )

        pair_certificate.additional_properties = d
        return pair_certificate

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
