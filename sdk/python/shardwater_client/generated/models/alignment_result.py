from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.aligned_pair import AlignedPair
    from ..models.pair_certificate import PairCertificate
    from ..models.pair_parameters import PairParameters


T = TypeVar("T", bound="AlignmentResult")


@_attrs_define
class AlignmentResult:
    """All alignments of a job that has succeeded, in the order of its pairs."""

    alignments: list[AlignedPair]
    certificate: PairCertificate
    """ What was done: every pair was aligned, exactly. """
    id: str
    parameters: PairParameters
    """ How pairs are aligned. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        alignments = []
        for alignments_item_data in self.alignments:
            alignments_item = alignments_item_data.to_dict()
            alignments.append(alignments_item)

        certificate = self.certificate.to_dict()

        id = self.id

        parameters = self.parameters.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "alignments": alignments,
                "certificate": certificate,
                "id": id,
                "parameters": parameters,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.aligned_pair import AlignedPair  # noqa: PLC0415
        from ..models.pair_certificate import PairCertificate  # noqa: PLC0415
        from ..models.pair_parameters import PairParameters  # noqa: PLC0415

        d = dict(src_dict)
        alignments = []
        _alignments = d.pop("alignments")
        for alignments_item_data in _alignments:
            alignments_item = AlignedPair.from_dict(alignments_item_data)

            alignments.append(alignments_item)

        certificate = PairCertificate.from_dict(d.pop("certificate"))

        id = d.pop("id")

        parameters = PairParameters.from_dict(d.pop("parameters"))

        alignment_result = cls(
            alignments=alignments,
            certificate=certificate,
            id=id,
            parameters=parameters,
        )

        alignment_result.additional_properties = d
        return alignment_result

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
