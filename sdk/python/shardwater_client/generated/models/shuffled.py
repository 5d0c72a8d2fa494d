from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.spread import Spread


T = TypeVar("T", bound="Shuffled")


@_attrs_define
class Shuffled:
    """What shuffles say of a score: z, the smaller of both, and its P; None where one of both has no z."""

    of_query: Spread
    """ The scores of a sequence's shuffles: their mean and standard deviation, and how far the score is above them.

    z is None where all are the same: letters that are all alike have no other order. """
    of_subject: Spread
    """ The scores of a sequence's shuffles: their mean and standard deviation, and how far the score is above them.

    z is None where all are the same: letters that are all alike have no other order. """
    pvalue: float | None
    z: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        of_query = self.of_query.to_dict()

        of_subject = self.of_subject.to_dict()

        pvalue: float | None
        pvalue = self.pvalue

        z: float | None
        z = self.z

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "of_query": of_query,
                "of_subject": of_subject,
                "pvalue": pvalue,
                "z": z,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.spread import Spread  # noqa: PLC0415

        d = dict(src_dict)
        of_query = Spread.from_dict(d.pop("of_query"))

        of_subject = Spread.from_dict(d.pop("of_subject"))

        def _parse_pvalue(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        pvalue = _parse_pvalue(d.pop("pvalue"))

        def _parse_z(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        z = _parse_z(d.pop("z"))

        shuffled = cls(
            of_query=of_query,
            of_subject=of_subject,
            pvalue=pvalue,
            z=z,
        )

        shuffled.additional_properties = d
        return shuffled

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
