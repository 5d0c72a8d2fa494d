from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.comparison_certificate import ComparisonCertificate
    from ..models.comparison_parameters import ComparisonParameters
    from ..models.genome_hsp import GenomeHsp
    from ..models.summary import Summary


T = TypeVar("T", bound="ComparisonResult")


@_attrs_define
class ComparisonResult:
    """All that two genomes share: forward HSPs first, along the query."""

    certificate: ComparisonCertificate
    """ What was done: all HSPs were found, but for those of seeds that the policy has left out. """
    hsps: list[GenomeHsp]
    id: str
    parameters: ComparisonParameters
    """ How genomes are compared. """
    summary: Summary
    """ A comparison in numbers. matches, coverage: by HSPs, matches being their equal letters.

    synteny: by alignments with gaps where these were asked for, else by HSPs; gapped: null without them. same: both
    genomes are the same, whatever their names: the main diagonal is left out. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        certificate = self.certificate.to_dict()

        hsps = []
        for hsps_item_data in self.hsps:
            hsps_item = hsps_item_data.to_dict()
            hsps.append(hsps_item)

        id = self.id

        parameters = self.parameters.to_dict()

        summary = self.summary.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "certificate": certificate,
                "hsps": hsps,
                "id": id,
                "parameters": parameters,
                "summary": summary,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.comparison_certificate import ComparisonCertificate  # noqa: PLC0415
        from ..models.comparison_parameters import ComparisonParameters  # noqa: PLC0415
        from ..models.genome_hsp import GenomeHsp  # noqa: PLC0415
        from ..models.summary import Summary  # noqa: PLC0415

        d = dict(src_dict)
        certificate = ComparisonCertificate.from_dict(d.pop("certificate"))

        hsps = []
        _hsps = d.pop("hsps")
        for hsps_item_data in _hsps:
            hsps_item = GenomeHsp.from_dict(hsps_item_data)

            hsps.append(hsps_item)

        id = d.pop("id")

        parameters = ComparisonParameters.from_dict(d.pop("parameters"))

        summary = Summary.from_dict(d.pop("summary"))

        comparison_result = cls(
            certificate=certificate,
            hsps=hsps,
            id=id,
            parameters=parameters,
            summary=summary,
        )

        comparison_result.additional_properties = d
        return comparison_result

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
