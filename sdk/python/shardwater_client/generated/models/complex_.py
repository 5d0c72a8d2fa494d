from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Complex")


@_attrs_define
class Complex:
    """Chains that belong together."""

    chains: list[str]
    """ A chain each: FASTA with one record, or a bare sequence. The same chain may stand here twice. """

    def to_dict(self) -> dict[str, Any]:
        chains = self.chains

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "chains": chains,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        chains = cast(list[str], d.pop("chains"))

        complex_ = cls(
            chains=chains,
        )

        return complex_
