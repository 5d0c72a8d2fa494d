from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.chain_pairing import ChainPairing, check_chain_pairing
from ..models.msa_filter import MsaFilter, check_msa_filter
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.complex_ import Complex


T = TypeVar("T", bound="MsaRequest")


@_attrs_define
class MsaRequest:
    """MSAs of chains, each of them alone, or of complexes whose chains are paired besides."""

    databases: list[str]
    """ The databases to search, several as if one held all their sequences.

    Their names on this server. """
    queries: list[Complex] | str
    """ The chains that MSAs are made for, or complexes of several chains.

    FASTA: each record is a chain of its own. Or a list of complexes, each with its `chains`. """
    evalue: float | Unset = 0.1
    """ The largest E-value of a row. Lower it, to 0.001 say, for sure relatives alone. """
    filter_: MsaFilter | Unset = UNSET
    inclusion_evalue: float | Unset = 0.002
    """ The largest E-value of a row that is in the profile of the next round. Lower it where another family slips
    in. """
    iterations: int | Unset = 3
    """ Rounds at most; each after the first searches with a profile of what was found. Take more for a deeper MSA,
    1 for close relatives alone.

    As of a search. """
    max_sequences: int | Unset = 10000
    """ How many rows an MSA has at most, before the filter. Raise it for families of more than 10,000 proteins.

    Members of clusters count, too. """
    pairing: ChainPairing | Unset = UNSET
    then: list[str] | Unset = UNSET
    """ More databases, searched once at the end with the profiles of what was found. Name large ones here to save
    time.

    Their rows make an MSA of their own. """
    title: str | Unset = ""
    """ A name for the MSA, by which lists show it. """

    def to_dict(self) -> dict[str, Any]:
        databases = self.databases

        queries: list[dict[str, Any]] | str
        if isinstance(self.queries, list):
            queries = []
            for queries_type_1_item_data in self.queries:
                queries_type_1_item = queries_type_1_item_data.to_dict()
                queries.append(queries_type_1_item)

        else:
            queries = self.queries

        evalue = self.evalue

        filter_: str | Unset = UNSET
        if not isinstance(self.filter_, Unset):
            filter_ = self.filter_

        inclusion_evalue = self.inclusion_evalue

        iterations = self.iterations

        max_sequences = self.max_sequences

        pairing: str | Unset = UNSET
        if not isinstance(self.pairing, Unset):
            pairing = self.pairing

        then: list[str] | Unset = UNSET
        if not isinstance(self.then, Unset):
            then = self.then

        title = self.title

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "databases": databases,
                "queries": queries,
            }
        )
        if evalue is not UNSET:
            field_dict["evalue"] = evalue
        if filter_ is not UNSET:
            field_dict["filter"] = filter_
        if inclusion_evalue is not UNSET:
            field_dict["inclusion_evalue"] = inclusion_evalue
        if iterations is not UNSET:
            field_dict["iterations"] = iterations
        if max_sequences is not UNSET:
            field_dict["max_sequences"] = max_sequences
        if pairing is not UNSET:
            field_dict["pairing"] = pairing
        if then is not UNSET:
            field_dict["then"] = then
        if title is not UNSET:
            field_dict["title"] = title

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.complex_ import Complex  # noqa: PLC0415

        d = dict(src_dict)
        databases = cast(list[str], d.pop("databases"))

        def _parse_queries(data: object) -> list[Complex] | str:
            try:
                if not isinstance(data, list):
                    raise TypeError()
                queries_type_1 = []
                _queries_type_1 = data
                for queries_type_1_item_data in _queries_type_1:
                    queries_type_1_item = Complex.from_dict(queries_type_1_item_data)

                    queries_type_1.append(queries_type_1_item)

                return queries_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[Complex] | str, data)

        queries = _parse_queries(d.pop("queries"))

        evalue = d.pop("evalue", UNSET)

        _filter_ = d.pop("filter", UNSET)
        filter_: MsaFilter | Unset
        if isinstance(_filter_, Unset):
            filter_ = UNSET
        else:
            filter_ = check_msa_filter(_filter_)

        inclusion_evalue = d.pop("inclusion_evalue", UNSET)

        iterations = d.pop("iterations", UNSET)

        max_sequences = d.pop("max_sequences", UNSET)

        _pairing = d.pop("pairing", UNSET)
        pairing: ChainPairing | Unset
        if isinstance(_pairing, Unset):
            pairing = UNSET
        else:
            pairing = check_chain_pairing(_pairing)

        then = cast(list[str], d.pop("then", UNSET))

        title = d.pop("title", UNSET)

        msa_request = cls(
            databases=databases,
            queries=queries,
            evalue=evalue,
            filter_=filter_,
            inclusion_evalue=inclusion_evalue,
            iterations=iterations,
            max_sequences=max_sequences,
            pairing=pairing,
            then=then,
            title=title,
        )

        return msa_request
