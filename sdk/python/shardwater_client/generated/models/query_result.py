from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.distribution import Distribution
    from ..models.hit import Hit
    from ..models.query import Query
    from ..models.query_warning import QueryWarning
    from ..models.round_report import RoundReport
    from ..models.statistics_used import StatisticsUsed


T = TypeVar("T", bound="QueryResult")


@_attrs_define
class QueryResult:
    """One query's hits, best first, and how the scores of all subjects are distributed, where that was asked for.

    digest is that of all other members (digests.py); None before it is made, and in results of earlier versions.
    rounds: those of a search with iterations; the hits are the last one's.

    """

    hits: list[Hit]
    query: Query
    """ A query as it was read; replaced counts its letters searched that score as X, by upper-case letter.

    masked is None where there is no mask; profile, the digest of the scores that it was searched with, without a
    PSSM. """
    statistics: StatisticsUsed
    """ The constants behind the figures: of the published methods, or of the fit under `fitted`; else None.

    fallback_reason says why `method` is not the one that was asked for; mask and composition what these have left
    out,
    None where figures are not adjusted to them. simulated has all parameters under `simulated`, with standard
    errors. """
    digest: None | str | Unset = UNSET
    distribution: Distribution | None | Unset = UNSET
    rounds: list[RoundReport] | Unset = UNSET
    warnings: list[QueryWarning] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.distribution import Distribution  # noqa: PLC0415

        hits = []
        for hits_item_data in self.hits:
            hits_item = hits_item_data.to_dict()
            hits.append(hits_item)

        query = self.query.to_dict()

        statistics = self.statistics.to_dict()

        digest: None | str | Unset
        if isinstance(self.digest, Unset):
            digest = UNSET
        else:
            digest = self.digest

        distribution: dict[str, Any] | None | Unset
        if isinstance(self.distribution, Unset):
            distribution = UNSET
        elif isinstance(self.distribution, Distribution):
            distribution = self.distribution.to_dict()
        else:
            distribution = self.distribution

        rounds: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.rounds, Unset):
            rounds = []
            for rounds_item_data in self.rounds:
                rounds_item = rounds_item_data.to_dict()
                rounds.append(rounds_item)

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
                "hits": hits,
                "query": query,
                "statistics": statistics,
            }
        )
        if digest is not UNSET:
            field_dict["digest"] = digest
        if distribution is not UNSET:
            field_dict["distribution"] = distribution
        if rounds is not UNSET:
            field_dict["rounds"] = rounds
        if warnings is not UNSET:
            field_dict["warnings"] = warnings

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.distribution import Distribution  # noqa: PLC0415
        from ..models.hit import Hit  # noqa: PLC0415
        from ..models.query import Query  # noqa: PLC0415
        from ..models.query_warning import QueryWarning  # noqa: PLC0415
        from ..models.round_report import RoundReport  # noqa: PLC0415
        from ..models.statistics_used import StatisticsUsed  # noqa: PLC0415

        d = dict(src_dict)
        hits = []
        _hits = d.pop("hits")
        for hits_item_data in _hits:
            hits_item = Hit.from_dict(hits_item_data)

            hits.append(hits_item)

        query = Query.from_dict(d.pop("query"))

        statistics = StatisticsUsed.from_dict(d.pop("statistics"))

        def _parse_digest(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        digest = _parse_digest(d.pop("digest", UNSET))

        def _parse_distribution(data: object) -> Distribution | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                distribution_type_0 = Distribution.from_dict(data)

                return distribution_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Distribution | None | Unset, data)

        distribution = _parse_distribution(d.pop("distribution", UNSET))

        _rounds = d.pop("rounds", UNSET)
        rounds: list[RoundReport] | Unset = UNSET
        if _rounds is not UNSET:
            rounds = []
            for rounds_item_data in _rounds:
                rounds_item = RoundReport.from_dict(rounds_item_data)

                rounds.append(rounds_item)

        _warnings = d.pop("warnings", UNSET)
        warnings: list[QueryWarning] | Unset = UNSET
        if _warnings is not UNSET:
            warnings = []
            for warnings_item_data in _warnings:
                warnings_item = QueryWarning.from_dict(warnings_item_data)

                warnings.append(warnings_item)

        query_result = cls(
            hits=hits,
            query=query,
            statistics=statistics,
            digest=digest,
            distribution=distribution,
            rounds=rounds,
            warnings=warnings,
        )

        query_result.additional_properties = d
        return query_result

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
