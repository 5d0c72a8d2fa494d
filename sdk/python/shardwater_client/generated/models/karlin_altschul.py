from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="KarlinAltschul")


@_attrs_define
class KarlinAltschul:
    """The parameters of one matrix with one pair of gap costs.

    alpha and beta belong to the length adjustment. An alignment of score y is about alpha * y + b letters
    long, with variance alpha_v * y + beta_v and, between the two sequences, covariance sigma * y + tau.

    """

    alpha: float
    alpha_v: float
    b: float
    beta: float
    beta_v: float
    entropy: float
    kappa: float
    lambda_: float
    sigma: float
    tau: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        alpha = self.alpha

        alpha_v = self.alpha_v

        b = self.b

        beta = self.beta

        beta_v = self.beta_v

        entropy = self.entropy

        kappa = self.kappa

        lambda_ = self.lambda_

        sigma = self.sigma

        tau = self.tau

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "alpha": alpha,
                "alpha_v": alpha_v,
                "b": b,
                "beta": beta,
                "beta_v": beta_v,
                "entropy": entropy,
                "kappa": kappa,
                "lambda": lambda_,
                "sigma": sigma,
                "tau": tau,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        alpha = d.pop("alpha")

        alpha_v = d.pop("alpha_v")

        b = d.pop("b")

        beta = d.pop("beta")

        beta_v = d.pop("beta_v")

        entropy = d.pop("entropy")

        kappa = d.pop("kappa")

        lambda_ = d.pop("lambda")

        sigma = d.pop("sigma")

        tau = d.pop("tau")

        karlin_altschul = cls(
            alpha=alpha,
            alpha_v=alpha_v,
            b=b,
            beta=beta,
            beta_v=beta_v,
            entropy=entropy,
            kappa=kappa,
            lambda_=lambda_,
            sigma=sigma,
            tau=tau,
        )

        karlin_altschul.additional_properties = d
        return karlin_altschul

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
