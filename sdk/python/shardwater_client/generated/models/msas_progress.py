from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.search_phase import SearchPhase, check_search_phase

if TYPE_CHECKING:
    from ..models.shards import Shards


T = TypeVar("T", bound="MsasProgress")


@_attrs_define
class MsasProgress:
    """How far MSAs are: the data of a `progress` event."""

    estimate_s: float | None
    parts: Shards
    """ Shards that have answered, of all. """
    phase: None | SearchPhase
    position: int | None
    progress: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        estimate_s: float | None
        estimate_s = self.estimate_s

        parts = self.parts.to_dict()

        phase: None | str
        if isinstance(self.phase, str):
            phase = self.phase
        else:
            phase = self.phase

        position: int | None
        position = self.position

        progress = self.progress

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "estimate_s": estimate_s,
                "parts": parts,
                "phase": phase,
                "position": position,
                "progress": progress,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.shards import Shards  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_estimate_s(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        estimate_s = _parse_estimate_s(d.pop("estimate_s"))

        parts = Shards.from_dict(d.pop("parts"))

        def _parse_phase(data: object) -> None | SearchPhase:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                phase_type_0 = check_search_phase(data)

                return phase_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SearchPhase, data)

        phase = _parse_phase(d.pop("phase"))

        def _parse_position(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        position = _parse_position(d.pop("position"))

        progress = d.pop("progress")

        msas_progress = cls(
            estimate_s=estimate_s,
            parts=parts,
            phase=phase,
            position=position,
            progress=progress,
        )

        msas_progress.additional_properties = d
        return msas_progress

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
