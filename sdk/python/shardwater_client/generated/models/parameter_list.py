from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.matrix_costs import MatrixCosts
    from ..models.parameter import Parameter


T = TypeVar("T", bound="ParameterList")


@_attrs_define
class ParameterList:
    """All that a job of each kind can be told."""

    matrices: list[MatrixCosts]
    parameters: list[Parameter]
    """ Of a search. """
    alignments: list[Parameter] | Unset = UNSET
    """ Of a job of pairs. """
    comparisons: list[Parameter] | Unset = UNSET
    """ Of a comparison of genomes. """
    msas: list[Parameter] | Unset = UNSET
    """ Of MSAs. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        matrices = []
        for matrices_item_data in self.matrices:
            matrices_item = matrices_item_data.to_dict()
            matrices.append(matrices_item)

        parameters = []
        for parameters_item_data in self.parameters:
            parameters_item = parameters_item_data.to_dict()
            parameters.append(parameters_item)

        alignments: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.alignments, Unset):
            alignments = []
            for alignments_item_data in self.alignments:
                alignments_item = alignments_item_data.to_dict()
                alignments.append(alignments_item)

        comparisons: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.comparisons, Unset):
            comparisons = []
            for comparisons_item_data in self.comparisons:
                comparisons_item = comparisons_item_data.to_dict()
                comparisons.append(comparisons_item)

        msas: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.msas, Unset):
            msas = []
            for msas_item_data in self.msas:
                msas_item = msas_item_data.to_dict()
                msas.append(msas_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "matrices": matrices,
                "parameters": parameters,
            }
        )
        if alignments is not UNSET:
            field_dict["alignments"] = alignments
        if comparisons is not UNSET:
            field_dict["comparisons"] = comparisons
        if msas is not UNSET:
            field_dict["msas"] = msas

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.matrix_costs import MatrixCosts  # noqa: PLC0415
        from ..models.parameter import Parameter  # noqa: PLC0415

        d = dict(src_dict)
        matrices = []
        _matrices = d.pop("matrices")
        for matrices_item_data in _matrices:
            matrices_item = MatrixCosts.from_dict(matrices_item_data)

            matrices.append(matrices_item)

        parameters = []
        _parameters = d.pop("parameters")
        for parameters_item_data in _parameters:
            parameters_item = Parameter.from_dict(parameters_item_data)

            parameters.append(parameters_item)

        _alignments = d.pop("alignments", UNSET)
        alignments: list[Parameter] | Unset = UNSET
        if _alignments is not UNSET:
            alignments = []
            for alignments_item_data in _alignments:
                alignments_item = Parameter.from_dict(alignments_item_data)

                alignments.append(alignments_item)

        _comparisons = d.pop("comparisons", UNSET)
        comparisons: list[Parameter] | Unset = UNSET
        if _comparisons is not UNSET:
            comparisons = []
            for comparisons_item_data in _comparisons:
                comparisons_item = Parameter.from_dict(comparisons_item_data)

                comparisons.append(comparisons_item)

        _msas = d.pop("msas", UNSET)
        msas: list[Parameter] | Unset = UNSET
        if _msas is not UNSET:
            msas = []
            for msas_item_data in _msas:
                msas_item = Parameter.from_dict(msas_item_data)

                msas.append(msas_item)

        parameter_list = cls(
            matrices=matrices,
            parameters=parameters,
            alignments=alignments,
            comparisons=comparisons,
            msas=msas,
        )

        parameter_list.additional_properties = d
        return parameter_list

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
