from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.search_phase import SearchPhase, check_search_phase
from ..models.search_state import SearchState, check_search_state
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.database_name import DatabaseName
    from ..models.links import Links
    from ..models.problem import Problem
    from ..models.search_warning import SearchWarning
    from ..models.shards import Shards


T = TypeVar("T", bound="Search")


@_attrs_define
class Search:
    """A search as it stands."""

    created_at: datetime.datetime
    database: DatabaseName
    """ A database version that a search runs on; of several, their names and versions with blanks between them, and
    the
    SHA-256 of their checksums. """
    error: None | Problem
    """ Why it failed. """
    estimate_s: float | None
    """ Seconds until it ends, with the searches before it, by what searches have taken; null once it has ended. """
    expires_at: datetime.datetime
    """ When the search and its result are removed. """
    finished_at: datetime.datetime | None
    id: str
    links: Links
    """ Where to go on from here; paths on this server. """
    phase: None | SearchPhase
    """ What is done now: `queued`, `scoring`, `aligning`, or `merging`, when the result is made; that of the shard
    that is least far. Null once the search has ended. """
    position: int | None
    """ Searches before this one in its longest queue; null once it has ended. """
    progress: float
    """ Share of the work that is done, 0 to 1: scoring, alignments and the making of the result, weighed by the
    time they take. """
    reused: bool
    """ Whether an earlier search answered this request. """
    shards: Shards
    """ Shards that have answered, of all. """
    state: SearchState
    title: str
    databases: list[DatabaseName] | Unset = UNSET
    """ The databases that are searched, one by one. """
    warnings: list[SearchWarning] | Unset = UNSET
    """ What is odd about its queries: the first 20. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.problem import Problem  # noqa: PLC0415

        created_at = self.created_at.isoformat()

        database = self.database.to_dict()

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

        phase: None | str
        if isinstance(self.phase, str):
            phase = self.phase
        else:
            phase = self.phase

        position: int | None
        position = self.position

        progress = self.progress

        reused = self.reused

        shards = self.shards.to_dict()

        state: str = self.state

        title = self.title

        databases: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.databases, Unset):
            databases = []
            for databases_item_data in self.databases:
                databases_item = databases_item_data.to_dict()
                databases.append(databases_item)

        warnings: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.warnings, Unset):
            warnings = []
            for warnings_item_data in self.warnings:
                warnings_item = warnings_item_data.to_dict()
                warnings.append(warnings_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "created_at": created_at,
                "database": database,
                "error": error,
                "estimate_s": estimate_s,
                "expires_at": expires_at,
                "finished_at": finished_at,
                "id": id,
                "links": links,
                "phase": phase,
                "position": position,
                "progress": progress,
                "reused": reused,
                "shards": shards,
                "state": state,
                "title": title,
            }
        )
        if databases is not UNSET:
            field_dict["databases"] = databases
        if warnings is not UNSET:
            field_dict["warnings"] = warnings

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.database_name import DatabaseName  # noqa: PLC0415
        from ..models.links import Links  # noqa: PLC0415
        from ..models.problem import Problem  # noqa: PLC0415
        from ..models.search_warning import SearchWarning  # noqa: PLC0415
        from ..models.shards import Shards  # noqa: PLC0415

        d = dict(src_dict)
        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        database = DatabaseName.from_dict(d.pop("database"))

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

        links = Links.from_dict(d.pop("links"))

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

        shards = Shards.from_dict(d.pop("shards"))

        state = check_search_state(d.pop("state"))

        title = d.pop("title")

        _databases = d.pop("databases", UNSET)
        databases: list[DatabaseName] | Unset = UNSET
        if _databases is not UNSET:
            databases = []
            for databases_item_data in _databases:
                databases_item = DatabaseName.from_dict(databases_item_data)

                databases.append(databases_item)

        _warnings = d.pop("warnings", UNSET)
        warnings: list[SearchWarning] | Unset = UNSET
        if _warnings is not UNSET:
            warnings = []
            for warnings_item_data in _warnings:
                warnings_item = SearchWarning.from_dict(warnings_item_data)

                warnings.append(warnings_item)

        search = cls(
            created_at=created_at,
            database=database,
            error=error,
            estimate_s=estimate_s,
            expires_at=expires_at,
            finished_at=finished_at,
            id=id,
            links=links,
            phase=phase,
            position=position,
            progress=progress,
            reused=reused,
            shards=shards,
            state=state,
            title=title,
            databases=databases,
            warnings=warnings,
        )

        search.additional_properties = d
        return search

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
