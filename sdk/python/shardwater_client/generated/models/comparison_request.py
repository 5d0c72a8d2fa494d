from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.compared_strands import ComparedStrands, check_compared_strands
from ..models.extension import Extension, check_extension
from ..models.gapped import Gapped, check_gapped
from ..models.sensitivity import Sensitivity, check_sensitivity
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.database_sequences import DatabaseSequences
    from ..models.region_asked import RegionAsked
    from ..models.uploaded_sequences import UploadedSequences


T = TypeVar("T", bound="ComparisonRequest")


@_attrs_define
class ComparisonRequest:
    """A comparison: two genomes, and how they are compared."""

    query: DatabaseSequences | str | UploadedSequences
    """ The first genome.

    DNA: FASTA or FASTQ text, an upload, or records of a database. """
    subject: DatabaseSequences | str | UploadedSequences
    """ The second genome.

    In the same way as `query`. """
    extension: Extension | Unset = UNSET
    gap_extend: int | Unset = 2
    """ What each letter of a gap costs. Lower it where genomes differ by long insertions.

    See gap_open. """
    gap_open: int | Unset = 5
    """ What it costs to begin a gap. Raise it for fewer gaps.

    Of `gapped`: a gap of n letters costs gap_open + n * gap_extend. """
    gapped: Gapped | Unset = UNSET
    match: int | Unset = 2
    """ The score of two equal bases, in alignments with gaps. Raise it, against the other scores, for longer
    alignments.

    Of `gapped`. """
    max_frequency: int | None | Unset = UNSET
    """ How many equal words of one kind are followed at most. Set it, to 1,000 say, where repeats give too many
    stretches.

    Exact matches that may begin with one word; of more some are taken, evenly. """
    min_identity: float | Unset = 60.0
    """ The least share of equal letters in a stretch, in per cent. Raise it for close strains; lower it for distant
    relatives.

    Of an HSP. """
    min_length: int | Unset = 100
    """ The least length of a stretch, in letters. Raise it, to 1,000 say, for large blocks alone; lower it for
    short elements.

    Letters of an HSP, at least. """
    mismatch: int | Unset = -3
    """ The score of two bases that differ, in alignments with gaps. Lower it where nearly equal stretches alone
    should count.

    Of `gapped`: score of other letters. """
    regions: list[RegionAsked] | None | Unset = UNSET
    """ Parts of either genome. Name them to compare these alone.

    Of either side; what is outside of a side's regions, if it has any, is not compared. """
    sensitivity: Sensitivity | Unset = UNSET
    strands: ComparedStrands | Unset = UNSET
    title: str | Unset = ""
    """ A name for the comparison, by which lists show it. """
    word: int | Unset = 32
    """ How many letters in a row are equal somewhere in each shared stretch. Take 16 or 12 to find more distant
    relatives; it takes longer.

    Letters of a word: seeds are equal ones. """
    x_drop: int | Unset = 1000
    """ A stretch is cut where its score falls by more. Lower it to cut at shorter unlike parts; 0 never cuts.

    Of HSPs found letter by letter; 0 is as in CPU GECKO. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.database_sequences import DatabaseSequences  # noqa: PLC0415
        from ..models.uploaded_sequences import UploadedSequences  # noqa: PLC0415

        query: dict[str, Any] | str
        if isinstance(self.query, UploadedSequences):
            query = self.query.to_dict()
        elif isinstance(self.query, DatabaseSequences):
            query = self.query.to_dict()
        else:
            query = self.query

        subject: dict[str, Any] | str
        if isinstance(self.subject, UploadedSequences):
            subject = self.subject.to_dict()
        elif isinstance(self.subject, DatabaseSequences):
            subject = self.subject.to_dict()
        else:
            subject = self.subject

        extension: str | Unset = UNSET
        if not isinstance(self.extension, Unset):
            extension = self.extension

        gap_extend = self.gap_extend

        gap_open = self.gap_open

        gapped: str | Unset = UNSET
        if not isinstance(self.gapped, Unset):
            gapped = self.gapped

        match = self.match

        max_frequency: int | None | Unset
        if isinstance(self.max_frequency, Unset):
            max_frequency = UNSET
        else:
            max_frequency = self.max_frequency

        min_identity = self.min_identity

        min_length = self.min_length

        mismatch = self.mismatch

        regions: list[dict[str, Any]] | None | Unset
        if isinstance(self.regions, Unset):
            regions = UNSET
        elif isinstance(self.regions, list):
            regions = []
            for regions_type_0_item_data in self.regions:
                regions_type_0_item = regions_type_0_item_data.to_dict()
                regions.append(regions_type_0_item)

        else:
            regions = self.regions

        sensitivity: str | Unset = UNSET
        if not isinstance(self.sensitivity, Unset):
            sensitivity = self.sensitivity

        strands: str | Unset = UNSET
        if not isinstance(self.strands, Unset):
            strands = self.strands

        title = self.title

        word = self.word

        x_drop = self.x_drop

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "query": query,
                "subject": subject,
            }
        )
        if extension is not UNSET:
            field_dict["extension"] = extension
        if gap_extend is not UNSET:
            field_dict["gap_extend"] = gap_extend
        if gap_open is not UNSET:
            field_dict["gap_open"] = gap_open
        if gapped is not UNSET:
            field_dict["gapped"] = gapped
        if match is not UNSET:
            field_dict["match"] = match
        if max_frequency is not UNSET:
            field_dict["max_frequency"] = max_frequency
        if min_identity is not UNSET:
            field_dict["min_identity"] = min_identity
        if min_length is not UNSET:
            field_dict["min_length"] = min_length
        if mismatch is not UNSET:
            field_dict["mismatch"] = mismatch
        if regions is not UNSET:
            field_dict["regions"] = regions
        if sensitivity is not UNSET:
            field_dict["sensitivity"] = sensitivity
        if strands is not UNSET:
            field_dict["strands"] = strands
        if title is not UNSET:
            field_dict["title"] = title
        if word is not UNSET:
            field_dict["word"] = word
        if x_drop is not UNSET:
            field_dict["x_drop"] = x_drop

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.database_sequences import DatabaseSequences  # noqa: PLC0415
        from ..models.region_asked import RegionAsked  # noqa: PLC0415
        from ..models.uploaded_sequences import UploadedSequences  # noqa: PLC0415

        d = dict(src_dict)

        def _parse_query(data: object) -> DatabaseSequences | str | UploadedSequences:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                query_type_1 = UploadedSequences.from_dict(data)

                return query_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                query_type_2 = DatabaseSequences.from_dict(data)

                return query_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(DatabaseSequences | str | UploadedSequences, data)

        query = _parse_query(d.pop("query"))

        def _parse_subject(data: object) -> DatabaseSequences | str | UploadedSequences:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                subject_type_1 = UploadedSequences.from_dict(data)

                return subject_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                subject_type_2 = DatabaseSequences.from_dict(data)

                return subject_type_2
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(DatabaseSequences | str | UploadedSequences, data)

        subject = _parse_subject(d.pop("subject"))

        _extension = d.pop("extension", UNSET)
        extension: Extension | Unset
        if isinstance(_extension, Unset):
            extension = UNSET
        else:
            extension = check_extension(_extension)

        gap_extend = d.pop("gap_extend", UNSET)

        gap_open = d.pop("gap_open", UNSET)

        _gapped = d.pop("gapped", UNSET)
        gapped: Gapped | Unset
        if isinstance(_gapped, Unset):
            gapped = UNSET
        else:
            gapped = check_gapped(_gapped)

        match = d.pop("match", UNSET)

        def _parse_max_frequency(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        max_frequency = _parse_max_frequency(d.pop("max_frequency", UNSET))

        min_identity = d.pop("min_identity", UNSET)

        min_length = d.pop("min_length", UNSET)

        mismatch = d.pop("mismatch", UNSET)

        def _parse_regions(data: object) -> list[RegionAsked] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                regions_type_0 = []
                _regions_type_0 = data
                for regions_type_0_item_data in _regions_type_0:
                    regions_type_0_item = RegionAsked.from_dict(regions_type_0_item_data)

                    regions_type_0.append(regions_type_0_item)

                return regions_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[RegionAsked] | None | Unset, data)

        regions = _parse_regions(d.pop("regions", UNSET))

        _sensitivity = d.pop("sensitivity", UNSET)
        sensitivity: Sensitivity | Unset
        if isinstance(_sensitivity, Unset):
            sensitivity = UNSET
        else:
            sensitivity = check_sensitivity(_sensitivity)

        _strands = d.pop("strands", UNSET)
        strands: ComparedStrands | Unset
        if isinstance(_strands, Unset):
            strands = UNSET
        else:
            strands = check_compared_strands(_strands)

        title = d.pop("title", UNSET)

        word = d.pop("word", UNSET)

        x_drop = d.pop("x_drop", UNSET)

        comparison_request = cls(
            query=query,
            subject=subject,
            extension=extension,
            gap_extend=gap_extend,
            gap_open=gap_open,
            gapped=gapped,
            match=match,
            max_frequency=max_frequency,
            min_identity=min_identity,
            min_length=min_length,
            mismatch=mismatch,
            regions=regions,
            sensitivity=sensitivity,
            strands=strands,
            title=title,
            word=word,
            x_drop=x_drop,
        )

        return comparison_request
