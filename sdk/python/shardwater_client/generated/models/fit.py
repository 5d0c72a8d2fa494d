from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.goodness import Goodness


T = TypeVar("T", bound="Fit")


@_attrs_define
class Fit:
    """The line that scores of unrelated subjects follow: rho * ln(length) + mu, with this variance around it.

    subjects took part in the fit, rejected did not: outliers, all of high scores where the query has a profile, and
    those alone in their length bin. goodness says how well the line describes them all; None in results of earlier
    versions.

    """

    mu: float
    rejected: int
    rho: float
    subjects: int
    variance: float
    goodness: Goodness | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.goodness import Goodness  # noqa: PLC0415

        mu = self.mu

        rejected = self.rejected

        rho = self.rho

        subjects = self.subjects

        variance = self.variance

        goodness: dict[str, Any] | None | Unset
        if isinstance(self.goodness, Unset):
            goodness = UNSET
        elif isinstance(self.goodness, Goodness):
            goodness = self.goodness.to_dict()
        else:
            goodness = self.goodness

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
        if goodness is not UNSET:
            field_dict["goodness"] = goodness

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.goodness import Goodness  # noqa: PLC0415

        d = dict(src_dict)
        mu = d.pop("mu")

        rejected = d.pop("rejected")

        rho = d.pop("rho")

        subjects = d.pop("subjects")

        variance = d.pop("variance")

        def _parse_goodness(data: object) -> Goodness | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                goodness_type_0 = Goodness.from_dict(data)

                return goodness_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Goodness | None | Unset, data)

        goodness = _parse_goodness(d.pop("goodness", UNSET))

        fit = cls(
            mu=mu,
            rejected=rejected,
            rho=rho,
            subjects=subjects,
            variance=variance,
            goodness=goodness,
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
