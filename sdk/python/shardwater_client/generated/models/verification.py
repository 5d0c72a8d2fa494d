from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.search_state import SearchState, check_search_state

if TYPE_CHECKING:
    from ..models.database_name import DatabaseName
    from ..models.problem import Problem
    from ..models.verification_links import VerificationLinks
    from ..models.verification_report import VerificationReport


T = TypeVar("T", bound="Verification")


@_attrs_define
class Verification:
    """A verification as it stands."""

    created_at: datetime.datetime
    database: DatabaseName
    """ A database version that a search runs on; of several, their names and versions with blanks between them, and
    the
    SHA-256 of their checksums. """
    error: None | Problem
    """ Why it failed: that says nothing of the result. """
    estimate_s: float | None
    """ Seconds until it ends; null once it has ended. """
    expires_at: datetime.datetime
    """ When it is removed. """
    finished_at: datetime.datetime | None
    id: str
    links: VerificationLinks
    """ Where to go on from here; paths on this server. """
    position: int | None
    """ Jobs before this one in its longest queue; null once it has ended. """
    progress: float
    """ Share of the work that is done, 0 to 1. """
    report: None | VerificationReport
    """ What was found; null until it has succeeded. """
    sample: int | None
    """ Subjects scored besides the hits; null where all is searched again. """
    search: str
    """ The search whose result is verified. """
    state: SearchState
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.problem import Problem  # noqa: PLC0415
        from ..models.verification_report import VerificationReport  # noqa: PLC0415

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

        position: int | None
        position = self.position

        progress = self.progress

        report: dict[str, Any] | None
        if isinstance(self.report, VerificationReport):
            report = self.report.to_dict()
        else:
            report = self.report

        sample: int | None
        sample = self.sample

        search = self.search

        state: str = self.state

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
                "position": position,
                "progress": progress,
                "report": report,
                "sample": sample,
                "search": search,
                "state": state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.database_name import DatabaseName  # noqa: PLC0415
        from ..models.problem import Problem  # noqa: PLC0415
        from ..models.verification_links import VerificationLinks  # noqa: PLC0415
        from ..models.verification_report import VerificationReport  # noqa: PLC0415

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

        links = VerificationLinks.from_dict(d.pop("links"))

        def _parse_position(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        position = _parse_position(d.pop("position"))

        progress = d.pop("progress")

        def _parse_report(data: object) -> None | VerificationReport:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                report_type_0 = VerificationReport.from_dict(data)

                return report_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | VerificationReport, data)

        report = _parse_report(d.pop("report"))

        def _parse_sample(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        sample = _parse_sample(d.pop("sample"))

        search = d.pop("search")

        state = check_search_state(d.pop("state"))

        verification = cls(
            created_at=created_at,
            database=database,
            error=error,
            estimate_s=estimate_s,
            expires_at=expires_at,
            finished_at=finished_at,
            id=id,
            links=links,
            position=position,
            progress=progress,
            report=report,
            sample=sample,
            search=search,
            state=state,
        )

        verification.additional_properties = d
        return verification

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
