from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.msa_stage import MsaStage


T = TypeVar("T", bound="MsaChain")


@_attrs_define
class MsaChain:
    """A chain, and what was found for it."""

    complex_: int
    """ That it is of, from 1. """
    id: str
    """ Of its header, as far as 200 letters go; so is `title`. Results have all of it. """
    length: int
    number: int
    """ By which its MSA is asked for, from 1. """
    paired: bool
    """ Whether rows of it are paired with those of other chains; `pairs` asks for them. """
    stages: list[MsaStage]
    """ What `databases` have given, and `then`, if that was asked for; empty until the job has succeeded. """
    title: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        complex_ = self.complex_

        id = self.id

        length = self.length

        number = self.number

        paired = self.paired

        stages = []
        for stages_item_data in self.stages:
            stages_item = stages_item_data.to_dict()
            stages.append(stages_item)

        title = self.title

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "complex": complex_,
                "id": id,
                "length": length,
                "number": number,
                "paired": paired,
                "stages": stages,
                "title": title,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.msa_stage import MsaStage  # noqa: PLC0415

        d = dict(src_dict)
        complex_ = d.pop("complex")

        id = d.pop("id")

        length = d.pop("length")

        number = d.pop("number")

        paired = d.pop("paired")

        stages = []
        _stages = d.pop("stages")
        for stages_item_data in _stages:
            stages_item = MsaStage.from_dict(stages_item_data)

            stages.append(stages_item)

        title = d.pop("title")

        msa_chain = cls(
            complex_=complex_,
            id=id,
            length=length,
            number=number,
            paired=paired,
            stages=stages,
            title=title,
        )

        msa_chain.additional_properties = d
        return msa_chain

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
