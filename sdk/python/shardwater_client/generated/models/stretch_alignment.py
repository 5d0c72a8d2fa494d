from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.strand import Strand, check_strand
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.stretch import Stretch


T = TypeVar("T", bound="StretchAlignment")


@_attrs_define
class StretchAlignment:
    """A stretch of each genome, to be aligned with gaps; scores that are not given are those of the comparison."""

    query: Stretch
    """ Letters of a record, counted from 1, the last one with them. """
    subject: Stretch
    """ Letters of a record, counted from 1, the last one with them. """
    gap_extend: int | None | Unset = UNSET
    gap_open: int | None | Unset = UNSET
    match: int | None | Unset = UNSET
    mismatch: int | None | Unset = UNSET
    strand: Strand | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        query = self.query.to_dict()

        subject = self.subject.to_dict()

        gap_extend: int | None | Unset
        if isinstance(self.gap_extend, Unset):
            gap_extend = UNSET
        else:
            gap_extend = self.gap_extend

        gap_open: int | None | Unset
        if isinstance(self.gap_open, Unset):
            gap_open = UNSET
        else:
            gap_open = self.gap_open

        match: int | None | Unset
        if isinstance(self.match, Unset):
            match = UNSET
        else:
            match = self.match

        mismatch: int | None | Unset
        if isinstance(self.mismatch, Unset):
            mismatch = UNSET
        else:
            mismatch = self.mismatch

        strand: str | Unset = UNSET
        if not isinstance(self.strand, Unset):
            strand = self.strand

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "query": query,
                "subject": subject,
            }
        )
        if gap_extend is not UNSET:
            field_dict["gap_extend"] = gap_extend
        if gap_open is not UNSET:
            field_dict["gap_open"] = gap_open
        if match is not UNSET:
            field_dict["match"] = match
        if mismatch is not UNSET:
            field_dict["mismatch"] = mismatch
        if strand is not UNSET:
            field_dict["strand"] = strand

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.stretch import Stretch  # noqa: PLC0415

        d = dict(src_dict)
        query = Stretch.from_dict(d.pop("query"))

        subject = Stretch.from_dict(d.pop("subject"))

        def _parse_gap_extend(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        gap_extend = _parse_gap_extend(d.pop("gap_extend", UNSET))

        def _parse_gap_open(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        gap_open = _parse_gap_open(d.pop("gap_open", UNSET))

        def _parse_match(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        match = _parse_match(d.pop("match", UNSET))

        def _parse_mismatch(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        mismatch = _parse_mismatch(d.pop("mismatch", UNSET))

        _strand = d.pop("strand", UNSET)
        strand: Strand | Unset
        if isinstance(_strand, Unset):
            strand = UNSET
        else:
            strand = check_strand(_strand)

        stretch_alignment = cls(
            query=query,
            subject=subject,
            gap_extend=gap_extend,
            gap_open=gap_open,
            match=match,
            mismatch=mismatch,
            strand=strand,
        )

        return stretch_alignment
