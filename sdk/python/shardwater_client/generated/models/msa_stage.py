from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.msa_members import MsaMembers
    from ..models.msa_round import MsaRound
    from ..models.query_warning import QueryWarning


T = TypeVar("T", bound="MsaStage")


@_attrs_define
class MsaStage:
    """What a list of databases has given for a chain."""

    found: int
    """ Rows that were found. """
    kept: int
    """ Rows that the filter has left. """
    members: MsaMembers | None
    """ Of clusters; null where no database has any. """
    rounds: list[MsaRound]
    warnings: list[QueryWarning]
    """ What is odd about the chain, or its statistics, as of a search. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.msa_members import MsaMembers  # noqa: PLC0415

        found = self.found

        kept = self.kept

        members: dict[str, Any] | None
        if isinstance(self.members, MsaMembers):
            members = self.members.to_dict()
        else:
            members = self.members

        rounds = []
        for rounds_item_data in self.rounds:
            rounds_item = rounds_item_data.to_dict()
            rounds.append(rounds_item)

        warnings = []
        for warnings_item_data in self.warnings:
            warnings_item = warnings_item_data.to_dict()
            warnings.append(warnings_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "found": found,
                "kept": kept,
                "members": members,
                "rounds": rounds,
                "warnings": warnings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.msa_members import MsaMembers  # noqa: PLC0415
        from ..models.msa_round import MsaRound  # noqa: PLC0415
        from ..models.query_warning import QueryWarning  # noqa: PLC0415

        d = dict(src_dict)
        found = d.pop("found")

        kept = d.pop("kept")

        def _parse_members(data: object) -> MsaMembers | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                members_type_0 = MsaMembers.from_dict(data)

                return members_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MsaMembers | None, data)

        members = _parse_members(d.pop("members"))

        rounds = []
        _rounds = d.pop("rounds")
        for rounds_item_data in _rounds:
            rounds_item = MsaRound.from_dict(rounds_item_data)

            rounds.append(rounds_item)

        warnings = []
        _warnings = d.pop("warnings")
        for warnings_item_data in _warnings:
            warnings_item = QueryWarning.from_dict(warnings_item_data)

            warnings.append(warnings_item)

        msa_stage = cls(
            found=found,
            kept=kept,
            members=members,
            rounds=rounds,
            warnings=warnings,
        )

        msa_stage.additional_properties = d
        return msa_stage

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
