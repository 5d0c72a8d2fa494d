from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Fit")


@_attrs_define
class Fit:
    """The line that scores of unrelated subjects follow: rho * ln(length) + mu, with this variance around it.

    subjects took part in the fit, rejected did not: outliers, and those alone in their length bin.

    """

    mu: float
    rejected: int
    rho: float
    subjects: int
    variance: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        mu = self.mu

        rejected = self.rejected

        rho = self.rho

        subjects = self.subjects

        variance = self.variance

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "mu": mu,
                "rejected": rejected,
                "rho": rho,
                "subjects": subjects,
                "variance": variance,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        mu = d.pop("mu")

        rejected = d.pop("rejected")

        rho = d.pop("rho")

        subjects = d.pop("subjects")

        variance = d.pop("variance")

        fit = cls(
            mu=mu,
            rejected=rejected,
            rho=rho,
            subjects=subjects,
            variance=variance,
        )

        fit.additional_properties = d
        return fit

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
