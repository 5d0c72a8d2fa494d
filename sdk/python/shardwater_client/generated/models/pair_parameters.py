from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.alignment_end import AlignmentEnd, check_alignment_end
from ..models.alignment_mode import AlignmentMode, check_alignment_mode
from ..models.alignment_report import AlignmentReport, check_alignment_report
from ..models.alignment_strands import AlignmentStrands, check_alignment_strands
from ..models.pair_alphabet import PairAlphabet, check_pair_alphabet
from ..models.pairing import Pairing, check_pairing
from ..types import UNSET, Unset

T = TypeVar("T", bound="PairParameters")


@_attrs_define
class PairParameters:
    """How pairs are aligned."""

    alphabet: None | PairAlphabet | Unset = UNSET
    """ Whether the letters are amino acids or DNA. Say so where a short sequence might be either.

    Where it is not said, by a parameter that only one has, else by the first 100 records. """
    best: int | Unset = 1
    """ How many alignments of a pair are given at most. Raise it to see repeats, and domains that come several
    times.

    Of local pairs: so many alignments of each at most, best first, that end in the best cells. """
    free_ends: list[AlignmentEnd] | None | Unset = UNSET
    """ The ends at which letters may be left out at no cost. Free both ends of the subject to place a whole read in
    a gene.

    In place of a mode; none is `global`. """
    gap_extend: float | None | Unset = UNSET
    """ What each letter of a gap costs. Lower it where sequences differ by long insertions.

    See gap_open. """
    gap_open: float | None | Unset = UNSET
    """ What it costs to begin a gap. Raise it for fewer gaps; at 0 each letter of a gap costs the same.

    A gap of n letters costs gap_open + n * gap_extend, with at most one digit after the point; 0 makes costs
    linear. Default: BLAST's for the matrix; of DNA 1 and 1. """
    match: int | None | Unset = UNSET
    """ The score of two equal bases. Raise it, against the other scores, for longer alignments.

    Of DNA. Default: 2. """
    matrix: None | str | Unset = UNSET
    """ How much each pair of amino acids scores. BLOSUM62 suits most proteins; take BLOSUM45 for distant ones,
    BLOSUM80 for close ones.

    Of proteins. Default: BLOSUM62. """
    mismatch: int | None | Unset = UNSET
    """ The score of two bases that differ. Lower it, to -3 say, where nearly equal stretches alone should count.

    Of DNA. Default: -1. """
    mode: AlignmentMode | None | Unset = UNSET
    """ What is aligned. Local finds what two sequences share; take global for sequences alike from end to end, free
    ends for one within another.

    `semi-global`: all four ends are free. Default: `local`. """
    pairing: Pairing | Unset = UNSET
    query_apart: int | None | Unset = UNSET
    """ How many letters of the query are between the ends of two alignments of a pair, at least. Raise it where one
    alignment comes again, a little moved.

    With `best`; 0 is no condition. Default: 5. """
    report: AlignmentReport | Unset = UNSET
    strand: AlignmentStrands | Unset = UNSET
    subject_apart: int | None | Unset = UNSET
    """ How many letters of the subject are between the ends of two alignments of a pair, at least. Raise it
    together with the one of the query.

    With `best`; 0 is no condition. """
    table: None | str | Unset = UNSET
    """ The score of each pair of DNA letters. Give it where some changes are likelier than others, as transitions.

    In place of match and mismatch: scores of 4 or 15 letters, in text as NCBI's matrices are. """

    def to_dict(self) -> dict[str, Any]:
        alphabet: None | str | Unset
        if isinstance(self.alphabet, Unset):
            alphabet = UNSET
        elif isinstance(self.alphabet, str):
            alphabet = self.alphabet
        else:
            alphabet = self.alphabet

        best = self.best

        free_ends: list[str] | None | Unset
        if isinstance(self.free_ends, Unset):
            free_ends = UNSET
        elif isinstance(self.free_ends, list):
            free_ends = []
            for free_ends_type_0_item_data in self.free_ends:
                free_ends_type_0_item: str = free_ends_type_0_item_data
                free_ends.append(free_ends_type_0_item)

        else:
            free_ends = self.free_ends

        gap_extend: float | None | Unset
        if isinstance(self.gap_extend, Unset):
            gap_extend = UNSET
        else:
            gap_extend = self.gap_extend

        gap_open: float | None | Unset
        if isinstance(self.gap_open, Unset):
            gap_open = UNSET
        else:
            gap_open = self.gap_open

        match: int | None | Unset
        if isinstance(self.match, Unset):
            match = UNSET
        else:
            match = self.match

        matrix: None | str | Unset
        if isinstance(self.matrix, Unset):
            matrix = UNSET
        else:
            matrix = self.matrix

        mismatch: int | None | Unset
        if isinstance(self.mismatch, Unset):
            mismatch = UNSET
        else:
            mismatch = self.mismatch

        mode: None | str | Unset
        if isinstance(self.mode, Unset):
            mode = UNSET
        elif isinstance(self.mode, str):
            mode = self.mode
        else:
            mode = self.mode

        pairing: str | Unset = UNSET
        if not isinstance(self.pairing, Unset):
            pairing = self.pairing

        query_apart: int | None | Unset
        if isinstance(self.query_apart, Unset):
            query_apart = UNSET
        else:
            query_apart = self.query_apart

        report: str | Unset = UNSET
        if not isinstance(self.report, Unset):
            report = self.report

        strand: str | Unset = UNSET
        if not isinstance(self.strand, Unset):
            strand = self.strand

        subject_apart: int | None | Unset
        if isinstance(self.subject_apart, Unset):
            subject_apart = UNSET
        else:
            subject_apart = self.subject_apart

        table: None | str | Unset
        if isinstance(self.table, Unset):
            table = UNSET
        else:
            table = self.table

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if alphabet is not UNSET:
            field_dict["alphabet"] = alphabet
        if best is not UNSET:
            field_dict["best"] = best
        if free_ends is not UNSET:
            field_dict["free_ends"] = free_ends
        if gap_extend is not UNSET:
            field_dict["gap_extend"] = gap_extend
        if gap_open is not UNSET:
            field_dict["gap_open"] = gap_open
        if match is not UNSET:
            field_dict["match"] = match
        if matrix is not UNSET:
            field_dict["matrix"] = matrix
        if mismatch is not UNSET:
            field_dict["mismatch"] = mismatch
        if mode is not UNSET:
            field_dict["mode"] = mode
        if pairing is not UNSET:
            field_dict["pairing"] = pairing
        if query_apart is not UNSET:
            field_dict["query_apart"] = query_apart
        if report is not UNSET:
            field_dict["report"] = report
        if strand is not UNSET:
            field_dict["strand"] = strand
        if subject_apart is not UNSET:
            field_dict["subject_apart"] = subject_apart
        if table is not UNSET:
            field_dict["table"] = table

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_alphabet(data: object) -> None | PairAlphabet | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                alphabet_type_0 = check_pair_alphabet(data)

                return alphabet_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PairAlphabet | Unset, data)

        alphabet = _parse_alphabet(d.pop("alphabet", UNSET))

        best = d.pop("best", UNSET)

        def _parse_free_ends(data: object) -> list[AlignmentEnd] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                free_ends_type_0 = []
                _free_ends_type_0 = data
                for free_ends_type_0_item_data in _free_ends_type_0:
                    free_ends_type_0_item = check_alignment_end(free_ends_type_0_item_data)

                    free_ends_type_0.append(free_ends_type_0_item)

                return free_ends_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[AlignmentEnd] | None | Unset, data)

        free_ends = _parse_free_ends(d.pop("free_ends", UNSET))

        def _parse_gap_extend(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        gap_extend = _parse_gap_extend(d.pop("gap_extend", UNSET))

        def _parse_gap_open(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        gap_open = _parse_gap_open(d.pop("gap_open", UNSET))

        def _parse_match(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        match = _parse_match(d.pop("match", UNSET))

        def _parse_matrix(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        matrix = _parse_matrix(d.pop("matrix", UNSET))

        def _parse_mismatch(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        mismatch = _parse_mismatch(d.pop("mismatch", UNSET))

        def _parse_mode(data: object) -> AlignmentMode | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                mode_type_0 = check_alignment_mode(data)

                return mode_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AlignmentMode | None | Unset, data)

        mode = _parse_mode(d.pop("mode", UNSET))

        _pairing = d.pop("pairing", UNSET)
        pairing: Pairing | Unset
        if isinstance(_pairing, Unset):
            pairing = UNSET
        else:
            pairing = check_pairing(_pairing)

        def _parse_query_apart(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        query_apart = _parse_query_apart(d.pop("query_apart", UNSET))

        _report = d.pop("report", UNSET)
        report: AlignmentReport | Unset
        if isinstance(_report, Unset):
            report = UNSET
        else:
            report = check_alignment_report(_report)

        _strand = d.pop("strand", UNSET)
        strand: AlignmentStrands | Unset
        if isinstance(_strand, Unset):
            strand = UNSET
        else:
            strand = check_alignment_strands(_strand)

        def _parse_subject_apart(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        subject_apart = _parse_subject_apart(d.pop("subject_apart", UNSET))

        def _parse_table(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        table = _parse_table(d.pop("table", UNSET))

        pair_parameters = cls(
            alphabet=alphabet,
            best=best,
            free_ends=free_ends,
            gap_extend=gap_extend,
            gap_open=gap_open,
            match=match,
            matrix=matrix,
            mismatch=mismatch,
            mode=mode,
            pairing=pairing,
            query_apart=query_apart,
            report=report,
            strand=strand,
            subject_apart=subject_apart,
            table=table,
        )

        return pair_parameters
