from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Evalues")


@_attrs_define
class Evalues:
    """A hit's E-value by published parameters (None for gap costs without) and by the fit, and the fit's z-score.

    differ says whether the two disagree: one is more than ten times the other, and their exponents are more than 40 %
    of the larger one apart, as those of 6e-53 and 2e-27 are; None where there is only one.
    scale is what the score counts by in the hit's own, adjusted figures: 1 where composition changes nothing, None
    where they are not adjusted. The figures here are of the score as it is.

    """

    differ: bool | None
    fitted: float
    table: float | None
    zscore: float
    scale: float | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        differ: bool | None
        differ = self.differ

        fitted = self.fitted

        table: float | None
        table = self.table

        zscore = self.zscore

        scale: float | None | Unset
        if isinstance(self.scale, Unset):
            scale = UNSET
        else:
            scale = self.scale

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "differ": differ,
                "fitted": fitted,
                "table": table,
                "zscore": zscore,
            }
        )
        if scale is not UNSET:
            field_dict["scale"] = scale

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_differ(data: object) -> bool | None:
            if data is None:
                return data
            return cast(bool | None, data)

        differ = _parse_differ(d.pop("differ"))

        fitted = d.pop("fitted")

        def _parse_table(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        table = _parse_table(d.pop("table"))

        zscore = d.pop("zscore")

        def _parse_scale(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        scale = _parse_scale(d.pop("scale", UNSET))

        evalues = cls(
            differ=differ,
            fitted=fitted,
            table=table,
            zscore=zscore,
            scale=scale,
        )

        evalues.additional_properties = d
        return evalues

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
