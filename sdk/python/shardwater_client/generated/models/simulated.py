from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.karlin_altschul import KarlinAltschul


T = TypeVar("T", bound="Simulated")


@_attrs_define
class Simulated:
    """Parameters from simulated scores (simulated.py), and the standard errors of lambda and K."""

    kappa_error: float
    lambda_error: float
    row: KarlinAltschul
    """ The parameters of one matrix with one pair of gap costs.

    alpha and beta belong to the length adjustment. An alignment of score y is about alpha * y + b letters
    long, with variance alpha_v * y + beta_v and, between the two sequences, covariance sigma * y + tau. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kappa_error = self.kappa_error

        lambda_error = self.lambda_error

        row = self.row.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "kappa_error": kappa_error,
                "lambda_error": lambda_error,
                "row": row,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.karlin_altschul import KarlinAltschul  # noqa: PLC0415

        d = dict(src_dict)
        kappa_error = d.pop("kappa_error")

        lambda_error = d.pop("lambda_error")

        row = KarlinAltschul.from_dict(d.pop("row"))

        simulated = cls(
            kappa_error=kappa_error,
            lambda_error=lambda_error,
            row=row,
        )

        simulated.additional_properties = d
        return simulated

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
