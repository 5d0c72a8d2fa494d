from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.coverage import Coverage
    from ..models.gapped_summary import GappedSummary
    from ..models.policy import Policy
    from ..models.size import Size
    from ..models.strand_summary import StrandSummary
    from ..models.synteny import Synteny


T = TypeVar("T", bound="Summary")


@_attrs_define
class Summary:
    """A comparison in numbers. matches, coverage: by HSPs, matches being their equal letters.

    synteny: by alignments with gaps where these were asked for, else by HSPs; gapped: null without them. same: both
    genomes are the same, whatever their names: the main diagonal is left out.

    """

    coverage: Coverage
    """ Both ways, and GECKO's: equal letters of alignments of 80 % identity or more, in per cent of the query's
    letters.

    GECKO's counts a letter as often as it is aligned, so that repeats may make it more than 100. """
    gapped: GappedSummary | None
    matches: int
    policy: Policy
    """ Which seeds were used: all, or not all of some words.

    sampled_words: of how many words, of both strands; least_frequency: the fewest runs that a word was allowed
    because
    too many words of its unit had too many, null where none had. """
    query: Size
    """ Of a genome. """
    strands: list[StrandSummary]
    subject: Size
    """ Of a genome. """
    synteny: Synteny
    """ The chains of two genomes: how many there are, how many blocks of each kind, and the best MOST_BLOCKS
    blocks. """
    same: bool | Unset = False
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.gapped_summary import GappedSummary  # noqa: PLC0415

        coverage = self.coverage.to_dict()

        gapped: dict[str, Any] | None
        if isinstance(self.gapped, GappedSummary):
            gapped = self.gapped.to_dict()
        else:
            gapped = self.gapped

        matches = self.matches

        policy = self.policy.to_dict()

        query = self.query.to_dict()

        strands = []
        for strands_item_data in self.strands:
            strands_item = strands_item_data.to_dict()
            strands.append(strands_item)

        subject = self.subject.to_dict()

        synteny = self.synteny.to_dict()

        same = self.same

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "coverage": coverage,
                "gapped": gapped,
                "matches": matches,
                "policy": policy,
                "query": query,
                "strands": strands,
                "subject": subject,
                "synteny": synteny,
            }
        )
        if same is not UNSET:
            field_dict["same"] = same

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.coverage import Coverage  # noqa: PLC0415
        from ..models.gapped_summary import GappedSummary  # noqa: PLC0415
        from ..models.policy import Policy  # noqa: PLC0415
        from ..models.size import Size  # noqa: PLC0415
        from ..models.strand_summary import StrandSummary  # noqa: PLC0415
        from ..models.synteny import Synteny  # noqa: PLC0415

        d = dict(src_dict)
        coverage = Coverage.from_dict(d.pop("coverage"))

        def _parse_gapped(data: object) -> GappedSummary | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                gapped_type_0 = GappedSummary.from_dict(data)

                return gapped_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(GappedSummary | None, data)

        gapped = _parse_gapped(d.pop("gapped"))

        matches = d.pop("matches")

        policy = Policy.from_dict(d.pop("policy"))

        query = Size.from_dict(d.pop("query"))

        strands = []
        _strands = d.pop("strands")
        for strands_item_data in _strands:
            strands_item = StrandSummary.from_dict(strands_item_data)

            strands.append(strands_item)

        subject = Size.from_dict(d.pop("subject"))

        synteny = Synteny.from_dict(d.pop("synteny"))

        same = d.pop("same", UNSET)

        summary = cls(
            coverage=coverage,
            gapped=gapped,
            matches=matches,
            policy=policy,
            query=query,
            strands=strands,
            subject=subject,
            synteny=synteny,
            same=same,
        )

        summary.additional_properties = d
        return summary

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
