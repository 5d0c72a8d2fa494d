from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="StatisticsUsed")


@_attrs_define
class StatisticsUsed:
    """The constants behind the figures; None under the method `none`."""

    eff_space: int | None
    entropy: float | None
    kappa: float | None
    lambda_: float | None
    method: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        eff_space: int | None
        eff_space = self.eff_space

        entropy: float | None
        entropy = self.entropy

        kappa: float | None
        kappa = self.kappa

        lambda_: float | None
        lambda_ = self.lambda_

        method = self.method

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "eff_space": eff_space,
                "entropy": entropy,
                "kappa": kappa,
                "lambda": lambda_,
                "method": method,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_eff_space(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        eff_space = _parse_eff_space(d.pop("eff_space"))

        def _parse_entropy(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        entropy = _parse_entropy(d.pop("entropy"))

        def _parse_kappa(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        kappa = _parse_kappa(d.pop("kappa"))

        def _parse_lambda_(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        lambda_ = _parse_lambda_(d.pop("lambda"))

        method = d.pop("method")

        statistics_used = cls(
            eff_space=eff_space,
            entropy=entropy,
            kappa=kappa,
            lambda_=lambda_,
            method=method,
        )

        statistics_used.additional_properties = d
        return statistics_used

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
