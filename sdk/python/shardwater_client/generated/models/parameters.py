from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.composition import Composition, check_composition
from ..models.hit_order import HitOrder, check_hit_order
from ..models.mask import Mask, check_mask
from ..models.shuffle import Shuffle, check_shuffle
from ..models.statistics_method import StatisticsMethod, check_statistics_method
from ..types import UNSET, Unset

T = TypeVar("T", bound="Parameters")


@_attrs_define
class Parameters:
    """What a search asks for beyond its queries; identity and coverage in per cent.

    query_loc, as "5-40", is the part of each query that is searched, its ends from 1 and both in it, or up to the
    query's end where that comes before. The filters apply to the max_target_seqs best subjects in the order asked for;
    None asks for no filter. composition: whether fitted E-values are adjusted to it; results of earlier versions do not
    say that theirs were not. mask: which letters count as X when bits and E-values are made of the scores of hits.
    Hits that are aligned have Z-values of so many shuffles (shuffles.py), if there are any. iterations: rounds, in each
    but the first of which queries are profiles of what the one before has found with E-values up to inclusion_evalue.
    matrix_scores: those of a user's own matrix, in the order of residue codes; None where `matrix` is a published one.
    max_hsps: alignments of each hit that is aligned, at most. taxids: only subjects of these taxa are searched, of all
    where there are none, and none of negative_taxids; both ascend. dbsize: the residues that E-values take the searched
    database to have; None, which no result writes, for those that it has.

    """

    alignments: int | Unset = 100
    composition: Composition | Unset = UNSET
    dbsize: int | None | Unset = UNSET
    evalue: float | Unset = 10.0
    gap_extend: int | Unset = 1
    gap_open: int | Unset = 11
    inclusion_evalue: float | Unset = 0.002
    iterations: int | Unset = 1
    mask: Mask | Unset = UNSET
    matrix: str | Unset = "BLOSUM62"
    matrix_scores: list[list[int]] | None | Unset = UNSET
    max_hsps: int | Unset = 1
    max_target_seqs: int | Unset = 100
    min_bits: float | None | Unset = UNSET
    min_identity: float | None | Unset = UNSET
    min_query_coverage: float | None | Unset = UNSET
    negative_taxids: list[int] | Unset = UNSET
    order: HitOrder | Unset = UNSET
    query_loc: None | str | Unset = UNSET
    score_distribution: bool | Unset = False
    shuffle: Shuffle | Unset = UNSET
    shuffle_seed: int | Unset = 0
    shuffles: int | Unset = 0
    statistics: StatisticsMethod | Unset = UNSET
    taxids: list[int] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        alignments = self.alignments

        composition: str | Unset = UNSET
        if not isinstance(self.composition, Unset):
            composition = self.composition

        dbsize: int | None | Unset
        if isinstance(self.dbsize, Unset):
            dbsize = UNSET
        else:
            dbsize = self.dbsize

        evalue = self.evalue

        gap_extend = self.gap_extend

        gap_open = self.gap_open

        inclusion_evalue = self.inclusion_evalue

        iterations = self.iterations

        mask: str | Unset = UNSET
        if not isinstance(self.mask, Unset):
            mask = self.mask

        matrix = self.matrix

        matrix_scores: list[list[int]] | None | Unset
        if isinstance(self.matrix_scores, Unset):
            matrix_scores = UNSET
        elif isinstance(self.matrix_scores, list):
            matrix_scores = []
            for matrix_scores_type_0_item_data in self.matrix_scores:
                matrix_scores_type_0_item = matrix_scores_type_0_item_data

                matrix_scores.append(matrix_scores_type_0_item)

        else:
            matrix_scores = self.matrix_scores

        max_hsps = self.max_hsps

        max_target_seqs = self.max_target_seqs

        min_bits: float | None | Unset
        if isinstance(self.min_bits, Unset):
            min_bits = UNSET
        else:
            min_bits = self.min_bits

        min_identity: float | None | Unset
        if isinstance(self.min_identity, Unset):
            min_identity = UNSET
        else:
            min_identity = self.min_identity

        min_query_coverage: float | None | Unset
        if isinstance(self.min_query_coverage, Unset):
            min_query_coverage = UNSET
        else:
            min_query_coverage = self.min_query_coverage

        negative_taxids: list[int] | Unset = UNSET
        if not isinstance(self.negative_taxids, Unset):
            negative_taxids = self.negative_taxids

        order: str | Unset = UNSET
        if not isinstance(self.order, Unset):
            order = self.order

        query_loc: None | str | Unset
        if isinstance(self.query_loc, Unset):
            query_loc = UNSET
        else:
            query_loc = self.query_loc

        score_distribution = self.score_distribution

        shuffle: str | Unset = UNSET
        if not isinstance(self.shuffle, Unset):
            shuffle = self.shuffle

        shuffle_seed = self.shuffle_seed

        shuffles = self.shuffles

        statistics: str | Unset = UNSET
        if not isinstance(self.statistics, Unset):
            statistics = self.statistics

        taxids: list[int] | Unset = UNSET
        if not isinstance(self.taxids, Unset):
            taxids = self.taxids

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if alignments is not UNSET:
            field_dict["alignments"] = alignments
        if composition is not UNSET:
            field_dict["composition"] = composition
        if dbsize is not UNSET:
            field_dict["dbsize"] = dbsize
        if evalue is not UNSET:
            field_dict["evalue"] = evalue
        if gap_extend is not UNSET:
            field_dict["gap_extend"] = gap_extend
        if gap_open is not UNSET:
            field_dict["gap_open"] = gap_open
        if inclusion_evalue is not UNSET:
            field_dict["inclusion_evalue"] = inclusion_evalue
        if iterations is not UNSET:
            field_dict["iterations"] = iterations
        if mask is not UNSET:
            field_dict["mask"] = mask
        if matrix is not UNSET:
            field_dict["matrix"] = matrix
        if matrix_scores is not UNSET:
            field_dict["matrix_scores"] = matrix_scores
        if max_hsps is not UNSET:
            field_dict["max_hsps"] = max_hsps
        if max_target_seqs is not UNSET:
            field_dict["max_target_seqs"] = max_target_seqs
        if min_bits is not UNSET:
            field_dict["min_bits"] = min_bits
        if min_identity is not UNSET:
            field_dict["min_identity"] = min_identity
        if min_query_coverage is not UNSET:
            field_dict["min_query_coverage"] = min_query_coverage
        if negative_taxids is not UNSET:
            field_dict["negative_taxids"] = negative_taxids
        if order is not UNSET:
            field_dict["order"] = order
        if query_loc is not UNSET:
            field_dict["query_loc"] = query_loc
        if score_distribution is not UNSET:
            field_dict["score_distribution"] = score_distribution
        if shuffle is not UNSET:
            field_dict["shuffle"] = shuffle
        if shuffle_seed is not UNSET:
            field_dict["shuffle_seed"] = shuffle_seed
        if shuffles is not UNSET:
            field_dict["shuffles"] = shuffles
        if statistics is not UNSET:
            field_dict["statistics"] = statistics
        if taxids is not UNSET:
            field_dict["taxids"] = taxids

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        alignments = d.pop("alignments", UNSET)

        _composition = d.pop("composition", UNSET)
        composition: Composition | Unset
        if isinstance(_composition, Unset):
            composition = UNSET
        else:
            composition = check_composition(_composition)

        def _parse_dbsize(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        dbsize = _parse_dbsize(d.pop("dbsize", UNSET))

        evalue = d.pop("evalue", UNSET)

        gap_extend = d.pop("gap_extend", UNSET)

        gap_open = d.pop("gap_open", UNSET)

        inclusion_evalue = d.pop("inclusion_evalue", UNSET)

        iterations = d.pop("iterations", UNSET)

        _mask = d.pop("mask", UNSET)
        mask: Mask | Unset
        if isinstance(_mask, Unset):
            mask = UNSET
        else:
            mask = check_mask(_mask)

        matrix = d.pop("matrix", UNSET)

        def _parse_matrix_scores(data: object) -> list[list[int]] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                matrix_scores_type_0 = []
                _matrix_scores_type_0 = data
                for matrix_scores_type_0_item_data in _matrix_scores_type_0:
                    matrix_scores_type_0_item = cast(list[int], matrix_scores_type_0_item_data)

                    matrix_scores_type_0.append(matrix_scores_type_0_item)

                return matrix_scores_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[list[int]] | None | Unset, data)

        matrix_scores = _parse_matrix_scores(d.pop("matrix_scores", UNSET))

        max_hsps = d.pop("max_hsps", UNSET)

        max_target_seqs = d.pop("max_target_seqs", UNSET)

        def _parse_min_bits(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        min_bits = _parse_min_bits(d.pop("min_bits", UNSET))

        def _parse_min_identity(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        min_identity = _parse_min_identity(d.pop("min_identity", UNSET))

        def _parse_min_query_coverage(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        min_query_coverage = _parse_min_query_coverage(d.pop("min_query_coverage", UNSET))

        negative_taxids = cast(list[int], d.pop("negative_taxids", UNSET))

        _order = d.pop("order", UNSET)
        order: HitOrder | Unset
        if isinstance(_order, Unset):
            order = UNSET
        else:
            order = check_hit_order(_order)

        def _parse_query_loc(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        query_loc = _parse_query_loc(d.pop("query_loc", UNSET))

        score_distribution = d.pop("score_distribution", UNSET)

        _shuffle = d.pop("shuffle", UNSET)
        shuffle: Shuffle | Unset
        if isinstance(_shuffle, Unset):
            shuffle = UNSET
        else:
            shuffle = check_shuffle(_shuffle)

        shuffle_seed = d.pop("shuffle_seed", UNSET)

        shuffles = d.pop("shuffles", UNSET)

        _statistics = d.pop("statistics", UNSET)
        statistics: StatisticsMethod | Unset
        if isinstance(_statistics, Unset):
            statistics = UNSET
        else:
            statistics = check_statistics_method(_statistics)

        taxids = cast(list[int], d.pop("taxids", UNSET))

        parameters = cls(
            alignments=alignments,
            composition=composition,
            dbsize=dbsize,
            evalue=evalue,
            gap_extend=gap_extend,
            gap_open=gap_open,
            inclusion_evalue=inclusion_evalue,
            iterations=iterations,
            mask=mask,
            matrix=matrix,
            matrix_scores=matrix_scores,
            max_hsps=max_hsps,
            max_target_seqs=max_target_seqs,
            min_bits=min_bits,
            min_identity=min_identity,
            min_query_coverage=min_query_coverage,
            negative_taxids=negative_taxids,
            order=order,
            query_loc=query_loc,
            score_distribution=score_distribution,
            shuffle=shuffle,
            shuffle_seed=shuffle_seed,
            shuffles=shuffles,
            statistics=statistics,
            taxids=taxids,
        )

        parameters.additional_properties = d
        return parameters

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
