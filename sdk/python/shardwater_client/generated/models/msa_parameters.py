from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.chain_pairing import ChainPairing, check_chain_pairing
from ..models.msa_filter import MsaFilter, check_msa_filter

T = TypeVar("T", bound="MsaParameters")


@_attrs_define
class MsaParameters:
    """What was asked for, besides the queries."""

    databases: list[str]
    evalue: float
    filter_: MsaFilter
    inclusion_evalue: float
    iterations: int
    max_sequences: int
    pairing: ChainPairing
    then: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        databases = self.databases

        evalue = self.evalue

        filter_: str = self.filter_

        inclusion_evalue = self.inclusion_evalue

        iterations = self.iterations

        max_sequences = self.max_sequences

        pairing: str = self.pairing

        then = self.then

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "databases": databases,
                "evalue": evalue,
                "filter": filter_,
                "inclusion_evalue": inclusion_evalue,
                "iterations": iterations,
                "max_sequences": max_sequences,
                "pairing": pairing,
                "then": then,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        databases = cast(list[str], d.pop("databases"))

        evalue = d.pop("evalue")

        filter_ = check_msa_filter(d.pop("filter"))

        inclusion_evalue = d.pop("inclusion_evalue")

        iterations = d.pop("iterations")

        max_sequences = d.pop("max_sequences")

        pairing = check_chain_pairing(d.pop("pairing"))

        then = cast(list[str], d.pop("then"))

        msa_parameters = cls(
            databases=databases,
            evalue=evalue,
            filter_=filter_,
            inclusion_evalue=inclusion_evalue,
            iterations=iterations,
            max_sequences=max_sequences,
            pairing=pairing,
            then=then,
        )

        msa_parameters.additional_properties = d
        return msa_parameters

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
