from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.adjustment import Adjustment
    from ..models.fit import Fit
    from ..models.simulated import Simulated


T = TypeVar("T", bound="StatisticsUsed")


@_attrs_define
class StatisticsUsed:
    """The constants behind the figures: of the published methods, or of the fit under `fitted`; else None.

    fallback_reason says why `method` is not the one that was asked for; mask and composition what these have left out,
    None where figures are not adjusted to them. simulated has all parameters under `simulated`, with standard errors.

    """

    eff_space: int | None
    entropy: float | None
    kappa: float | None
    lambda_: float | None
    method: str
    composition: Adjustment | None | Unset = UNSET
    fallback_reason: None | str | Unset = UNSET
    fit: Fit | None | Unset = UNSET
    mask: Adjustment | None | Unset = UNSET
    simulated: None | Simulated | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.adjustment import Adjustment  # noqa: PLC0415
        from ..models.fit import Fit  # noqa: PLC0415
        from ..models.simulated import Simulated  # noqa: PLC0415

        eff_space: int | None
        eff_space = self.eff_space

        entropy: float | None
        entropy = self.entropy

        kappa: float | None
        kappa = self.kappa

        lambda_: float | None
        lambda_ = self.lambda_

        method = self.method

        composition: dict[str, Any] | None | Unset
        if isinstance(self.composition, Unset):
            composition = UNSET
        elif isinstance(self.composition, Adjustment):
            composition = self.composition.to_dict()
        else:
            composition = self.composition

        fallback_reason: None | str | Unset
        if isinstance(self.fallback_reason, Unset):
            fallback_reason = UNSET
        else:
            fallback_reason = self.fallback_reason

        fit: dict[str, Any] | None | Unset
        if isinstance(self.fit, Unset):
            fit = UNSET
        elif isinstance(self.fit, Fit):
            fit = self.fit.to_dict()
        else:
            fit = self.fit

        mask: dict[str, Any] | None | Unset
        if isinstance(self.mask, Unset):
            mask = UNSET
        elif isinstance(self.mask, Adjustment):
            mask = self.mask.to_dict()
        else:
            mask = self.mask

        simulated: dict[str, Any] | None | Unset
        if isinstance(self.simulated, Unset):
            simulated = UNSET
        elif isinstance(self.simulated, Simulated):
            simulated = self.simulated.to_dict()
        else:
            simulated = self.simulated

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
        if composition is not UNSET:
            field_dict["composition"] = composition
        if fallback_reason is not UNSET:
            field_dict["fallback_reason"] = fallback_reason
        if fit is not UNSET:
            field_dict["fit"] = fit
        if mask is not UNSET:
            field_dict["mask"] = mask
        if simulated is not UNSET:
            field_dict["simulated"] = simulated

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.adjustment import Adjustment  # noqa: PLC0415
        from ..models.fit import Fit  # noqa: PLC0415
        from ..models.simulated import Simulated  # noqa: PLC0415

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

        def _parse_composition(data: object) -> Adjustment | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                composition_type_0 = Adjustment.from_dict(data)

                return composition_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Adjustment | None | Unset, data)

        composition = _parse_composition(d.pop("composition", UNSET))

        def _parse_fallback_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        fallback_reason = _parse_fallback_reason(d.pop("fallback_reason", UNSET))

        def _parse_fit(data: object) -> Fit | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                fit_type_0 = Fit.from_dict(data)

                return fit_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Fit | None | Unset, data)

        fit = _parse_fit(d.pop("fit", UNSET))

        def _parse_mask(data: object) -> Adjustment | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                mask_type_0 = Adjustment.from_dict(data)

                return mask_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Adjustment | None | Unset, data)

        mask = _parse_mask(d.pop("mask", UNSET))

        def _parse_simulated(data: object) -> None | Simulated | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                simulated_type_0 = Simulated.from_dict(data)

                return simulated_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Simulated | Unset, data)

        simulated = _parse_simulated(d.pop("simulated", UNSET))

        statistics_used = cls(
            eff_space=eff_space,
            entropy=entropy,
            kappa=kappa,
            lambda_=lambda_,
            method=method,
            composition=composition,
            fallback_reason=fallback_reason,
            fit=fit,
            mask=mask,
            simulated=simulated,
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
