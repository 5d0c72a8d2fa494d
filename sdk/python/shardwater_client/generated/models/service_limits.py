from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.comparison_bounds import ComparisonBounds
    from ..models.pair_bounds import PairBounds
    from ..models.upload_bounds import UploadBounds


T = TypeVar("T", bound="ServiceLimits")


@_attrs_define
class ServiceLimits:
    """What one search may ask for, and how long its result is kept."""

    max_body_bytes: int
    max_hits: int
    """ Queries x max_target_seqs x max_hsps. """
    max_queries: int
    max_query_length: int
    max_query_residues: int
    max_target_seqs: int
    max_wait_s: int
    """ The longest `Prefer: wait` that is honoured. """
    retention_s: int
    comparisons: ComparisonBounds | None | Unset = UNSET
    max_profile_residues: int | Unset = 0
    """ Residues of all queries of a search with `iterations`; 0 where a server makes none. """
    max_score_bytes: int | Unset = 0
    """ 4 x queries x subjects, of a search with `scores=all`; 0 where a server keeps none. """
    pairs: None | PairBounds | Unset = UNSET
    uploads: None | Unset | UploadBounds = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.comparison_bounds import ComparisonBounds  # noqa: PLC0415
        from ..models.pair_bounds import PairBounds  # noqa: PLC0415
        from ..models.upload_bounds import UploadBounds  # noqa: PLC0415

        max_body_bytes = self.max_body_bytes

        max_hits = self.max_hits

        max_queries = self.max_queries

        max_query_length = self.max_query_length

        max_query_residues = self.max_query_residues

        max_target_seqs = self.max_target_seqs

        max_wait_s = self.max_wait_s

        retention_s = self.retention_s

        comparisons: dict[str, Any] | None | Unset
        if isinstance(self.comparisons, Unset):
            comparisons = UNSET
        elif isinstance(self.comparisons, ComparisonBounds):
            comparisons = self.comparisons.to_dict()
        else:
            comparisons = self.comparisons

        max_profile_residues = self.max_profile_residues

        max_score_bytes = self.max_score_bytes

        pairs: dict[str, Any] | None | Unset
        if isinstance(self.pairs, Unset):
            pairs = UNSET
        elif isinstance(self.pairs, PairBounds):
            pairs = self.pairs.to_dict()
        else:
            pairs = self.pairs

        uploads: dict[str, Any] | None | Unset
        if isinstance(self.uploads, Unset):
            uploads = UNSET
        elif isinstance(self.uploads, UploadBounds):
            uploads = self.uploads.to_dict()
        else:
            uploads = self.uploads

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "max_body_bytes": max_body_bytes,
                "max_hits": max_hits,
                "max_queries": max_queries,
                "max_query_length": max_query_length,
                "max_query_residues": max_query_residues,
                "max_target_seqs": max_target_seqs,
                "max_wait_s": max_wait_s,
                "retention_s": retention_s,
            }
        )
        if comparisons is not UNSET:
            field_dict["comparisons"] = comparisons
        if max_profile_residues is not UNSET:
            field_dict["max_profile_residues"] = max_profile_residues
        if max_score_bytes is not UNSET:
            field_dict["max_score_bytes"] = max_score_bytes
        if pairs is not UNSET:
            field_dict["pairs"] = pairs
        if uploads is not UNSET:
            field_dict["uploads"] = uploads

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.comparison_bounds import ComparisonBounds  # noqa: PLC0415
        from ..models.pair_bounds import PairBounds  # noqa: PLC0415
        from ..models.upload_bounds import UploadBounds  # noqa: PLC0415

        d = dict(src_dict)
        max_body_bytes = d.pop("max_body_bytes")

        max_hits = d.pop("max_hits")

        max_queries = d.pop("max_queries")

        max_query_length = d.pop("max_query_length")

        max_query_residues = d.pop("max_query_residues")

        max_target_seqs = d.pop("max_target_seqs")

        max_wait_s = d.pop("max_wait_s")

        retention_s = d.pop("retention_s")

        def _parse_comparisons(data: object) -> ComparisonBounds | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                comparisons_type_0 = ComparisonBounds.from_dict(data)

                return comparisons_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ComparisonBounds | None | Unset, data)

        comparisons = _parse_comparisons(d.pop("comparisons", UNSET))

        max_profile_residues = d.pop("max_profile_residues", UNSET)

        max_score_bytes = d.pop("max_score_bytes", UNSET)

        def _parse_pairs(data: object) -> None | PairBounds | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                pairs_type_0 = PairBounds.from_dict(data)

                return pairs_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PairBounds | Unset, data)

        pairs = _parse_pairs(d.pop("pairs", UNSET))

        def _parse_uploads(data: object) -> None | Unset | UploadBounds:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                uploads_type_0 = UploadBounds.from_dict(data)

                return uploads_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Unset | UploadBounds, data)

        uploads = _parse_uploads(d.pop("uploads", UNSET))

        service_limits = cls(
            max_body_bytes=max_body_bytes,
            max_hits=max_hits,
            max_queries=max_queries,
            max_query_length=max_query_length,
            max_query_residues=max_query_residues,
            max_target_seqs=max_target_seqs,
            max_wait_s=max_wait_s,
            retention_s=retention_s,
            comparisons=comparisons,
            max_profile_residues=max_profile_residues,
            max_score_bytes=max_score_bytes,
            pairs=pairs,
            uploads=uploads,
        )

        service_limits.additional_properties = d
        return service_limits

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
