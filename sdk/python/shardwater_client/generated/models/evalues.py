from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Evalues")


@_attrs_define
class Evalues:
    """A hit's E-value by published parameters (None for gap costs without) and by the fit, and the fit's z-score.

    differ says whether the two disagree: one is more than ten times the other, and their exponents are more than 40 %
    of the larger one apart, as those of 6e-53 and 2e-27 are; None where there is only one.

    """

    differ: bool | None
    fitted: float
    table: float | None
    zscore: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        differ: bool | None
        differ = self.differ

        fitted = self.fitted

        table: float | None
        table = self.table

        zscore = self.zscore

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

        evalues = cls(
            differ=differ,
            fitted=fitted,
            table=table,
            zscore=zscore,
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
