from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.database_name import DatabaseName
    from ..models.search_warning import SearchWarning


T = TypeVar("T", bound="SearchEstimate")


@_attrs_define
class SearchEstimate:
    """What a search would take if it were submitted now."""

    cells: int
    """ Query residues x database residues: the work; and those of shuffles, as many as are expected. """
    database: DatabaseName
    """ A database version that a search runs on; of several, their names and versions with blanks between them, and
    the
    SHA-256 of their checksums. """
    position: int
    """ Searches before it in the longest of its queues. """
    queries: int
    queue_seconds: float | None
    """ Until it would begin: the searches before it. """
    quota_cost: int
    """ Cells that it would be charged with; none where an earlier search answers it. """
    residues: int
    """ Of all queries. """
    reused: bool
    """ Whether an earlier search would answer it; the seconds are those that this one has left. """
    seconds: float | None
    """ This search alone, on its slowest shard. """
    databases: list[DatabaseName] | Unset = UNSET
    """ The databases that are searched, one by one. """
    warnings: list[SearchWarning] | Unset = UNSET
    """ What is odd about its queries: the first 20. """
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        cells = self.cells

        database = self.database.to_dict()

        position = self.position

        queries = self.queries

        queue_seconds: float | None
        queue_seconds = self.queue_seconds

        quota_cost = self.quota_cost

        residues = self.residues

        reused = self.reused

        seconds: float | None
        seconds = self.seconds

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
                "cells": cells,
                "database": database,
                "position": position,
                "queries": queries,
                "queue_seconds": queue_seconds,
                "quota_cost": quota_cost,
                "residues": residues,
                "reused": reused,
                "seconds": seconds,
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
        from ..models.search_warning import SearchWarning  # noqa: PLC0415

        d = dict(src_dict)
        cells = d.pop("cells")

        database = DatabaseName.from_dict(d.pop("database"))

        position = d.pop("position")

        queries = d.pop("queries")

        def _parse_queue_seconds(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        queue_seconds = _parse_queue_seconds(d.pop("queue_seconds"))

        quota_cost = d.pop("quota_cost")

        residues = d.pop("residues")

        reused = d.pop("reused")

        def _parse_seconds(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        seconds = _parse_seconds(d.pop("seconds"))

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

        search_estimate = cls(
            cells=cells,
            database=database,
            position=position,
            queries=queries,
            queue_seconds=queue_seconds,
            quota_cost=quota_cost,
            residues=residues,
            reused=reused,
            seconds=seconds,
            databases=databases,
            warnings=warnings,
        )

        search_estimate.additional_properties = d
        return search_estimate

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
