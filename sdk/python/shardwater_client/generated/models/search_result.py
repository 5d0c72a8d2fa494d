from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.certificate import Certificate
    from ..models.database_used import DatabaseUsed
    from ..models.parameters import Parameters
    from ..models.query_result import QueryResult
    from ..models.searched_database import SearchedDatabase
    from ..models.signature import Signature
    from ..models.software import Software


T = TypeVar("T", bound="SearchResult")


@_attrs_define
class SearchResult:
    """The answer to a search; the queries stand in the order in which they were sent."""

    certificate: Certificate
    """ That every subject was scored against every query: the sums are of what the shards' engines counted
    (extent.py).

    They equal the databases' size, and cells its residues times those of all queries; else there is no result. """
    database: DatabaseUsed
    """ What was searched: the very database; of several, their names and versions with blanks between them, and the
    SHA-256 of their checksums, one after the other. """
    parameters: Parameters
    """ What a search asks for beyond its queries; identity and coverage in per cent.

    query_loc, as "5-40", is the part of each query that is searched, its ends from 1 and both in it, or up to the
    query's end where that comes before. The filters apply to the max_target_seqs best subjects in the order asked
    for;
    None asks for no filter. composition: whether fitted E-values are adjusted to it; results of earlier versions do
    not
    say that theirs were not. mask: which letters count as X when bits and E-values are made of the scores of hits.
    Hits that are aligned have Z-values of so many shuffles (shuffles.py), if there are any. iterations: rounds, in
    each
    but the first of which queries are profiles of what the one before has found with E-values up to
    inclusion_evalue.
    matrix_scores: those of a user's own matrix, in the order of residue codes; None where `matrix` is a published
    one.
    max_hsps: alignments of each hit that is aligned, at most. taxids: only subjects of these taxa are searched, of
    all
    where there are none, and none of negative_taxids; both ascend. dbsize: the residues that E-values take the
    searched
    database to have; None, which no result writes, for those that it has. """
    results: list[QueryResult]
    search: str
    software: Software
    """ The version of Shardwater and the git commit it was built from, `unknown` where nobody said. """
    databases: list[SearchedDatabase] | Unset = UNSET
    digest: None | str | Unset = UNSET
    next_page_token: str | Unset = UNSET
    """ Of a page of hits: for the next one; empty on the last page. """
    signature: None | Signature | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.signature import Signature  # noqa: PLC0415

        certificate = self.certificate.to_dict()

        database = self.database.to_dict()

        parameters = self.parameters.to_dict()

        results = []
        for results_item_data in self.results:
            results_item = results_item_data.to_dict()
            results.append(results_item)

        search = self.search

        software = self.software.to_dict()

        databases: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.databases, Unset):
            databases = []
            for databases_item_data in self.databases:
                databases_item = databases_item_data.to_dict()
                databases.append(databases_item)

        digest: None | str | Unset
        if isinstance(self.digest, Unset):
            digest = UNSET
        else:
            digest = self.digest

        next_page_token = self.next_page_token

        signature: dict[str, Any] | None | Unset
        if isinstance(self.signature, Unset):
            signature = UNSET
        elif isinstance(self.signature, Signature):
            signature = self.signature.to_dict()
        else:
            signature = self.signature

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "certificate": certificate,
                "database": database,
                "parameters": parameters,
                "results": results,
                "search": search,
                "software": software,
            }
        )
        if databases is not UNSET:
            field_dict["databases"] = databases
        if digest is not UNSET:
            field_dict["digest"] = digest
        if next_page_token is not UNSET:
            field_dict["next_page_token"] = next_page_token
        if signature is not UNSET:
            field_dict["signature"] = signature

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.certificate import Certificate  # noqa: PLC0415
        from ..models.database_used import DatabaseUsed  # noqa: PLC0415
        from ..models.parameters import Parameters  # noqa: PLC0415
        from ..models.query_result import QueryResult  # noqa: PLC0415
        from ..models.searched_database import SearchedDatabase  # noqa: PLC0415
        from ..models.signature import Signature  # noqa: PLC0415
        from ..models.software import Software  # noqa: PLC0415

        d = dict(src_dict)
        certificate = Certificate.from_dict(d.pop("certificate"))

        database = DatabaseUsed.from_dict(d.pop("database"))

        parameters = Parameters.from_dict(d.pop("parameters"))

        results = []
        _results = d.pop("results")
        for results_item_data in _results:
            results_item = QueryResult.from_dict(results_item_data)

            results.append(results_item)

        search = d.pop("search")

        software = Software.from_dict(d.pop("software"))

        _databases = d.pop("databases", UNSET)
        databases: list[SearchedDatabase] | Unset = UNSET
        if _databases is not UNSET:
            databases = []
            for databases_item_data in _databases:
                databases_item = SearchedDatabase.from_dict(databases_item_data)

                databases.append(databases_item)

        def _parse_digest(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        digest = _parse_digest(d.pop("digest", UNSET))

        next_page_token = d.pop("next_page_token", UNSET)

        def _parse_signature(data: object) -> None | Signature | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                signature_type_0 = Signature.from_dict(data)

                return signature_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Signature | Unset, data)

        signature = _parse_signature(d.pop("signature", UNSET))

        search_result = cls(
            certificate=certificate,
            database=database,
            parameters=parameters,
            results=results,
            search=search,
            software=software,
            databases=databases,
            digest=digest,
            next_page_token=next_page_token,
            signature=signature,
        )

        search_result.additional_properties = d
        return search_result

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
