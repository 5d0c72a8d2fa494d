from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.search_phase import SearchPhase, check_search_phase
from ..models.search_state import SearchState, check_search_state

if TYPE_CHECKING:
    from ..models.msa_chain import MsaChain
    from ..models.msa_links import MsaLinks
    from ..models.msa_parameters import MsaParameters
    from ..models.problem import Problem
    from ..models.shards import Shards


T = TypeVar("T", bound="Msas")


@_attrs_define
class Msas:
    """MSAs as they stand."""

    chains: list[MsaChain]
    """ All chains in their order; empty in lists. """
    created_at: datetime.datetime
    error: None | Problem
    """ Why it failed. """
    estimate_s: float | None
    """ Seconds until it ends; null once it has. """
    expires_at: datetime.datetime
    """ When the MSAs are removed. """
    finished_at: datetime.datetime | None
    id: str
    links: MsaLinks
    """ Where to go on from here; paths on this server. """
    parameters: MsaParameters | None
    """ What was asked for; null in lists. """
    parts: Shards
    """ Shards that have answered, of all. """
    phase: None | SearchPhase
    """ What is done now; null once the job has ended. """
    position: int | None
    """ Jobs before the first of its chains; null once it has ended. """
    progress: float
    """ Share of the work that is done, 0 to 1. """
    reused: bool
    """ Whether an earlier job answered this request. """
    state: SearchState
    title: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.msa_parameters import MsaParameters  # noqa: PLC0415
        from ..models.problem import Problem  # noqa: PLC0415

        chains = []
        for chains_item_data in self.chains:
            chains_item = chains_item_data.to_dict()
            chains.append(chains_item)

        created_at = self.created_at.isoformat()

        error: dict[str, Any] | None
        if isinstance(self.error, Problem):
            error = self.error.to_dict()
        else:
            error = self.error

        estimate_s: float | None
        estimate_s = self.estimate_s

        expires_at = self.expires_at.isoformat()

        finished_at: None | str
        if isinstance(self.finished_at, datetime.datetime):
            finished_at = self.finished_at.isoformat()
        else:
            finished_at = self.finished_at

        id = self.id

        links = self.links.to_dict()

        parameters: dict[str, Any] | None
        if isinstance(self.parameters, MsaParameters):
            parameters = self.parameters.to_dict()
        else:
            parameters = self.parameters

        parts = self.parts.to_dict()

        phase: None | str
        if isinstance(self.phase, str):
            phase = self.phase
        else:
            phase = self.phase

        position: int | None
        position = self.position

        progress = self.progress

        reused = self.reused

        state: str = self.state

        title = self.title

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "chains": chains,
                "created_at": created_at,
                "error": error,
                "estimate_s": estimate_s,
                "expires_at": expires_at,
                "finished_at": finished_at,
                "id": id,
                "links": links,
                "parameters": parameters,
                "parts": parts,
                "phase": phase,
                "position": position,
                "progress": progress,
                "reused": reused,
                "state": state,
                "title": title,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.msa_chain import MsaChain  # noqa: PLC0415
        from ..models.msa_links import MsaLinks  # noqa: PLC0415
        from ..models.msa_parameters import MsaParameters  # noqa: PLC0415
        from ..models.problem import Problem  # noqa: PLC0415
        from ..models.shards import Shards  # noqa: PLC0415

        d = dict(src_dict)
        chains = []
        _chains = d.pop("chains")
        for chains_item_data in _chains:
            chains_item = MsaChain.from_dict(chains_item_data)

            chains.append(chains_item)

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        def _parse_error(data: object) -> None | Problem:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                error_type_0 = Problem.from_dict(data)

                return error_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Problem, data)

        error = _parse_error(d.pop("error"))

        def _parse_estimate_s(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        estimate_s = _parse_estimate_s(d.pop("estimate_s"))

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        def _parse_finished_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                finished_at_type_0 = datetime.datetime.fromisoformat(data)

                return finished_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        finished_at = _parse_finished_at(d.pop("finished_at"))

        id = d.pop("id")

        links = MsaLinks.from_dict(d.pop("links"))

        def _parse_parameters(data: object) -> MsaParameters | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                parameters_type_0 = MsaParameters.from_dict(data)

                return parameters_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MsaParameters | None, data)

        parameters = _parse_parameters(d.pop("parameters"))

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

        reused = d.pop("reused")

        state = check_search_state(d.pop("state"))

        title = d.pop("title")

        msas = cls(
            chains=chains,
            created_at=created_at,
            error=error,
            estimate_s=estimate_s,
            expires_at=expires_at,
            finished_at=finished_at,
            id=id,
            links=links,
            parameters=parameters,
            parts=parts,
            phase=phase,
            position=position,
            progress=progress,
            reused=reused,
            state=state,
            title=title,
        )

        msas.additional_properties = d
        return msas

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
