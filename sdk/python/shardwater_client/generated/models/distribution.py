from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.fit import Fit


T = TypeVar("T", bound="Distribution")


@_attrs_define
class Distribution:
    """How many subjects have which score, and how many the fit expects to.

    Bin k is for scores from k * bin_width on; the last bin is that of the highest score, at most 2,047, which counts
    all above too. expected and fit are None where no fit can be made.

    """

    bin_width: int
    counts: list[int]
    expected: list[float] | None
    fit: Fit | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.fit import Fit  # noqa: PLC0415

        bin_width = self.bin_width

        counts = self.counts

        expected: list[float] | None
        if isinstance(self.expected, list):
            expected = self.expected

        else:
            expected = self.expected

        fit: dict[str, Any] | None
        if isinstance(self.fit, Fit):
            fit = self.fit.to_dict()
        else:
            fit = self.fit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "bin_width": bin_width,
                "counts": counts,
                "expected": expected,
                "fit": fit,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.fit import Fit  # noqa: PLC0415

        d = dict(src_dict)
        bin_width = d.pop("bin_width")

        counts = cast(list[int], d.pop("counts"))

        def _parse_expected(data: object) -> list[float] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                expected_type_0 = cast(list[float], data)

                return expected_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[float] | None, data)

        expected = _parse_expected(d.pop("expected"))

        def _parse_fit(data: object) -> Fit | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                fit_type_0 = Fit.from_dict(data)

                return fit_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Fit | None, data)

        fit = _parse_fit(d.pop("fit"))

        distribution = cls(
            bin_width=bin_width,
            counts=counts,
            expected=expected,
            fit=fit,
        )

        distribution.additional_properties = d
        return distribution

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
