"""An MSA made row by row: of the alignments of hits, or of rows that were read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.alignment.alignment import GAP
from shardwater.msa.msa import FIGURES, Msa, capitals
from shardwater.msa.provenance import Provenance
from shardwater.msa.texts import Texts
from shardwater.search.hits import Hsp
from shardwater.search.merge import Hit
from shardwater.sequences.fasta import Record

TOGETHER = 1 << 16
"""Rows whose figures become one array."""
_SMALL = 0x20
"""Between a capital and its small letter."""


@dataclass(frozen=True, slots=True)
class NewRow:
    """A row to be: a subject's header, length and taxid (0 where it is not known), and its alignment with the query.

    representative: of a member of a cluster, the name of the subject that stands for it; else empty.
    """

    header: str
    length: int
    hsp: Hsp
    score: int
    bits: float | None
    evalue: float | None
    taxid: int = 0
    representative: str = ""


def rows_of(hits: Iterable[Hit], members: Mapping[int, Sequence[Hit]] | None = None) -> Iterator[NewRow]:
    """A row for each alignment of each hit, in their order; hits that were not aligned have none.

    members: those of clusters by the subject that represents them; their rows follow its own.
    """
    for hit in hits:
        yield from _rows(hit)
        for member in members.get(hit.subject, ()) if members and hit.subject is not None else ():
            yield from _rows(member, hit.accession)


def _rows(hit: Hit, representative: str = "") -> Iterator[NewRow]:
    header = f"{hit.accession} {hit.title}".rstrip()
    for place, hsp in enumerate(hit.hsps):
        # The best one's figures are the hit's, also where composition has adjusted these.
        best = place == 0
        figures = (hit.score, hit.bits, hit.evalue) if best else (hsp.score, hsp.bits, hsp.evalue)
        yield NewRow(header, hit.length, hsp, *figures, hit.taxid or 0, representative)


def organisms_of(hits: Iterable[Hit]) -> dict[int, str]:
    """The scientific names of the hits' taxids, as far as they are known."""
    return {hit.taxid: hit.organism for hit in hits if hit.taxid and hit.organism}


def stacked(
    query: Record,
    rows: Iterable[NewRow],
    organisms: Mapping[int, str] | None = None,
    provenance: Provenance | None = None,
) -> Msa:
    """The MSA of a whole query and its rows, in their order; organisms: scientific names of taxids."""
    gathered = Rows()
    for row in rows:
        gathered.add(row.header.encode(), _letters(row.hsp), _figures(row), row.representative.encode())
    return gathered.msa(Record(query.header, capitals(query.residues)), organisms or {}, provenance)


class Rows:
    """Rows as they are gathered: their bytes in two arrays, their figures in chunks."""

    def __init__(self) -> None:
        self._headers, self._letters, self._representatives = bytearray(), bytearray(), bytearray()
        self._lengths: list[tuple[int, int, int]] = []
        self._figures: list[tuple[Any, ...]] = []
        self._done = [(np.zeros((0, 3), np.int64), np.zeros(0, FIGURES))]

    def add(self, header: bytes, letters: bytes, figures: tuple[Any, ...], representative: bytes = b"") -> None:
        """One row: header, letters in A3M from its first to its last column, figures in the order of FIGURES."""
        self._headers += header
        self._letters += letters
        self._representatives += representative
        self._lengths.append((len(header), len(letters), len(representative)))
        self._figures.append(figures)
        if len(self._figures) == TOGETHER:
            self._gather()

    def _gather(self) -> None:
        lengths = np.array(self._lengths, np.int64).reshape(-1, 3)
        self._done.append((lengths, np.array(self._figures, FIGURES)))
        self._lengths, self._figures = [], []

    def msa(self, query: Record, organisms: Mapping[int, str], provenance: Provenance | None) -> Msa:
        """All rows that were added, with a query of capitals."""
        self._gather()
        lengths: npt.NDArray[np.int64] = np.concatenate([each for each, _ in self._done])
        named = Texts.cut(self._representatives, lengths[:, 2]) if self._representatives else None
        figures = np.concatenate([each for _, each in self._done])
        texts = Texts.cut(self._headers, lengths[:, 0]), Texts.cut(self._letters, lengths[:, 1])
        return Msa(query, figures, *texts, organisms, provenance=provenance, representatives=named)


def _letters(hsp: Hsp) -> bytes:
    # What is a gap in the row is none of the database's own: that one is shown as X.
    gapped = hsp.hseq.encode("ascii")
    letters = b"-".join(map(capitals, gapped.split(b"-")))
    if "-" not in hsp.qseq:
        return letters
    inserted = np.frombuffer(hsp.qseq.encode("ascii"), np.uint8) == GAP
    small: bytes = (np.frombuffer(letters, np.uint8) | (inserted * np.uint8(_SMALL))).tobytes()
    return small


def _figures(row: NewRow) -> tuple[Any, ...]:
    hsp = row.hsp
    return (
        np.nan if row.bits is None else row.bits,
        np.nan if row.evalue is None else row.evalue,
        hsp.query_from - 1,
        hsp.query_to,
        hsp.hit_from - 1,
        hsp.hit_to,
        row.length,
        hsp.align_len,
        hsp.identity,
        hsp.gaps,
        hsp.cigar.count("I") + hsp.cigar.count("D"),
        row.score,
        row.taxid,
    )
