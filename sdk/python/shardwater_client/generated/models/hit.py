from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.evalues import Evalues
    from ..models.hsp import Hsp
    from ..models.masked import Masked
    from ..models.shuffled import Shuffled


T = TypeVar("T", bound="Hit")


@_attrs_define
class Hit:
    """A subject of the result.

    bits and evalue are None under the method `none`, identity and query_coverage where it was not aligned, evalues
    where no fit was made, shuffled where it was not aligned or no shuffles were asked for, masked without a
    mask, database in results of earlier versions, which are of one, taxid and organism, which is a scientific name,
    where nobody has said them. All but hsps is of the best alignment, the first of these.

    """

    accession: str
    bits: float | None
    evalue: float | None
    hsps: list[Hsp]
    identity: float | None
    length: int
    query_coverage: float | None
    rank: int
    score: int
    title: str
    database: None | str | Unset = UNSET
    evalues: Evalues | None | Unset = UNSET
    masked: Masked | None | Unset = UNSET
    organism: None | str | Unset = UNSET
    shuffled: None | Shuffled | Unset = UNSET
    taxid: int | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.evalues import Evalues  # noqa: PLC0415
        from ..models.masked import Masked  # noqa: PLC0415
        from ..models.shuffled import Shuffled  # noqa: PLC0415

        accession = self.accession

        bits: float | None
        bits = self.bits

        evalue: float | None
        evalue = self.evalue

        hsps = []
        for hsps_item_data in self.hsps:
            hsps_item = hsps_item_data.to_dict()
            hsps.append(hsps_item)

        identity: float | None
        identity = self.identity

        length = self.length

        query_coverage: float | None
        query_coverage = self.query_coverage

        rank = self.rank

        score = self.score

        title = self.title

        database: None | str | Unset
        if isinstance(self.database, Unset):
            database = UNSET
        else:
            database = self.database

        evalues: dict[str, Any] | None | Unset
        if isinstance(self.evalues, Unset):
            evalues = UNSET
        elif isinstance(self.evalues, Evalues):
            evalues = self.evalues.to_dict()
        else:
            evalues = self.evalues

        masked: dict[str, Any] | None | Unset
        if isinstance(self.masked, Unset):
            masked = UNSET
        elif isinstance(self.masked, Masked):
            masked = self.masked.to_dict()
        else:
            masked = self.masked

        organism: None | str | Unset
        if isinstance(self.organism, Unset):
            organism = UNSET
        else:
            organism = self.organism

        shuffled: dict[str, Any] | None | Unset
        if isinstance(self.shuffled, Unset):
            shuffled = UNSET
        elif isinstance(self.shuffled, Shuffled):
            shuffled = self.shuffled.to_dict()
        else:
            shuffled = self.shuffled

        taxid: int | None | Unset
        if isinstance(self.taxid, Unset):
            taxid = UNSET
        else:
            taxid = self.taxid

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "accession": accession,
                "bits": bits,
                "evalue": evalue,
                "hsps": hsps,
                "identity": identity,
                "length": length,
                "query_coverage": query_coverage,
                "rank": rank,
                "score": score,
                "title": title,
            }
        )
        if database is not UNSET:
            field_dict["database"] = database
        if evalues is not UNSET:
            field_dict["evalues"] = evalues
        if masked is not UNSET:
            field_dict["masked"] = masked
        if organism is not UNSET:
            field_dict["organism"] = organism
        if shuffled is not UNSET:
            field_dict["shuffled"] = shuffled
        if taxid is not UNSET:
            field_dict["taxid"] = taxid

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.evalues import Evalues  # noqa: PLC0415
        from ..models.hsp import Hsp  # noqa: PLC0415
        from ..models.masked import Masked  # noqa: PLC0415
        from ..models.shuffled import Shuffled  # noqa: PLC0415

        d = dict(src_dict)
        accession = d.pop("accession")

        def _parse_bits(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        bits = _parse_bits(d.pop("bits"))

        def _parse_evalue(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        evalue = _parse_evalue(d.pop("evalue"))

        hsps = []
        _hsps = d.pop("hsps")
        for hsps_item_data in _hsps:
            hsps_item = Hsp.from_dict(hsps_item_data)

            hsps.append(hsps_item)

        def _parse_identity(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        identity = _parse_identity(d.pop("identity"))

        length = d.pop("length")

        def _parse_query_coverage(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        query_coverage = _parse_query_coverage(d.pop("query_coverage"))

        rank = d.pop("rank")

        score = d.pop("score")

        title = d.pop("title")

        def _parse_database(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        database = _parse_database(d.pop("database", UNSET))

        def _parse_evalues(data: object) -> Evalues | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                evalues_type_0 = Evalues.from_dict(data)

                return evalues_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Evalues | None | Unset, data)

        evalues = _parse_evalues(d.pop("evalues", UNSET))

        def _parse_masked(data: object) -> Masked | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                masked_type_0 = Masked.from_dict(data)

                return masked_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(Masked | None | Unset, data)

        masked = _parse_masked(d.pop("masked", UNSET))

        def _parse_organism(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        organism = _parse_organism(d.pop("organism", UNSET))

        def _parse_shuffled(data: object) -> None | Shuffled | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                shuffled_type_0 = Shuffled.from_dict(data)

                return shuffled_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Shuffled | Unset, data)

        shuffled = _parse_shuffled(d.pop("shuffled", UNSET))

        def _parse_taxid(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        taxid = _parse_taxid(d.pop("taxid", UNSET))

        hit = cls(
            accession=accession,
            bits=bits,
            evalue=evalue,
            hsps=hsps,
            identity=identity,
            length=length,
            query_coverage=query_coverage,
            rank=rank,
            score=score,
            title=title,
            database=database,
            evalues=evalues,
            masked=masked,
            organism=organism,
            shuffled=shuffled,
            taxid=taxid,
        )

        hit.additional_properties = d
        return hit

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
