"""Schemes: what counts as the best alignment of two sequences.

Whole numbers inside: where a score or a cost has a digit after the point, all are kept in tenths, which changes no
order. A gap of n letters costs gap_open + n * gap_extend; gap_open 0 makes costs linear.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from shardwater.errors import ScoringError
from shardwater.scoring.pssm import Pssm
from shardwater.scoring.scoring import Scores, Scoring
from shardwater.scoring.table import Table, protein_table
from shardwater.sequences.alphabet import encode

Number = int | float | Decimal
Places = npt.NDArray[np.integer[Any]]
"""Of a query's positions, the rows that a scheme's scores have for them: its letters' codes; of a PSSM 0, 1, 2, ..."""
TENTHS = 10
DEAREST_GAP = 1_000_000
"""The most that a gap may cost to open, or a letter of it, where it may have to be taken: no local alignment need."""
DEAREST_LOCAL_GAP = 10**15
"""What it may cost there: numbers of 64 bits hold all that follows from it."""


@dataclass(frozen=True, slots=True)
class Mode:
    """Local, or what is free: a free end may be left out of the alignment at no cost, a prefix or a suffix.

    Local alignments may begin and end anywhere; with none of the four ends free both sequences are aligned whole.
    """

    query_begin: bool = False
    query_end: bool = False
    subject_begin: bool = False
    subject_end: bool = False
    local: bool = False

    def __post_init__(self) -> None:
        if self.local and (self.query_begin or self.query_end or self.subject_begin or self.subject_end):
            raise ScoringError("a local alignment has no free ends: it may begin and end anywhere")

    LOCAL: ClassVar["Mode"]
    GLOBAL: ClassVar["Mode"]
    SEMI_GLOBAL: ClassVar["Mode"]

    @classmethod
    def free(cls, ends: Iterable[str]) -> Self:
        """These ends free, by name. Raises ScoringError."""
        chosen = [ends] if isinstance(ends, str) else list(ends)
        for end in chosen:
            if end not in FREE_ENDS:
                raise ScoringError(f"{end!r} is no end; the four are {', '.join(FREE_ENDS)}")
        return cls(**dict.fromkeys(chosen, True))

    @property
    def free_ends(self) -> tuple[str, ...]:
        """The names of the free ends; none of a local alignment."""
        return tuple(end for end in FREE_ENDS if getattr(self, end))

    def begins_at(self, row: int, column: int) -> bool:
        """Whether an alignment that is not local may begin in this cell, after so many letters of both."""
        return (row == 0 and (column == 0 or self.subject_begin)) or (column == 0 and self.query_begin)


FREE_ENDS = tuple(field.name for field in fields(Mode) if field.name != "local")
Mode.LOCAL, Mode.GLOBAL, Mode.SEMI_GLOBAL = Mode(local=True), Mode(), Mode(True, True, True, True)
MODES = {"local": Mode.LOCAL, "global": Mode.GLOBAL, "semi-global": Mode.SEMI_GLOBAL}


@dataclass(frozen=True, slots=True)
class Scheme:
    """Scores, gap costs and mode; costs are in the units of the table.

    pssm: scores in place of the table's, of a single query. That is given as its places then, not as its letters.
    """

    table: Table
    gap_open: int
    gap_extend: int
    mode: Mode = Mode.LOCAL
    pssm: Pssm | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.mode, Mode):
            raise ScoringError(f"mode is {self.mode!r}, no Mode: Mode.LOCAL is one")
        for name in ("gap_open", "gap_extend"):
            cost = getattr(self, name)
            if not isinstance(cost, int) or isinstance(cost, bool):
                raise ScoringError(
                    f"{name} is {cost!r}, no whole number; Scheme.of takes a digit after the point", name
                )
            most = DEAREST_LOCAL_GAP if self.mode.local else DEAREST_GAP
            if not 0 <= cost <= most * self.units:
                raise ScoringError(f"{name} is not a cost from 0 to {most:,}", name)

    @classmethod
    def of(cls, table: Table, gap_open: Number, gap_extend: Number, mode: Mode = Mode.LOCAL) -> Self:
        """Costs with at most one digit after the point. Raises ScoringError."""
        tenths = [_tenths("gap_open", gap_open), _tenths("gap_extend", gap_extend)]
        if all(cost % TENTHS == 0 for cost in tenths):
            return cls(table, tenths[0] // TENTHS, tenths[1] // TENTHS, mode)
        return cls(table.in_units(TENTHS), tenths[0], tenths[1], mode)

    @classmethod
    def local(cls, scoring: Scoring, pssm: Pssm | None = None) -> Self:
        """The scheme of a search."""
        return cls(protein_table(scoring.loaded), scoring.gap_open, scoring.gap_extend, pssm=pssm)

    @property
    def scores(self) -> Scores:
        """What each letter of a query, or each place of a PSSM, scores against each letter: int32 (rows, letters)."""
        return self.table.scores if self.pssm is None else self.pssm.scores

    @property
    def best(self) -> int:
        """The highest of them."""
        return self.table.best if self.pssm is None else int(self.pssm.scores.max(initial=0))

    @property
    def worst(self) -> int:
        """The lowest of them."""
        return self.table.worst if self.pssm is None else int(self.pssm.scores.min(initial=0))

    def places(self, query: bytes) -> Places:
        """A protein as a query of this scheme."""
        return encode(query) if self.pssm is None else np.arange(len(self.pssm))

    @property
    def units(self) -> int:
        """So many of all numbers are a score of 1."""
        return self.table.units

    @property
    def gap_first(self) -> int:
        """What the first letter of a gap costs."""
        return self.gap_open + self.gap_extend

    @property
    def turned(self) -> "Scheme":
        """The same where queries are subjects, and subjects queries."""
        mode = self.mode
        swapped = Mode(mode.subject_begin, mode.subject_end, mode.query_begin, mode.query_end, mode.local)
        return Scheme(self.table.turned, self.gap_open, self.gap_extend, swapped)

    def gap(self, letters: int) -> int:
        """What a gap of so many letters costs."""
        return self.gap_open + letters * self.gap_extend if letters else 0

    def shown(self, score: int) -> int | float:
        """A score in units as users know it."""
        return score if self.units == 1 else score / self.units


def _tenths(name: str, value: Number) -> int:
    try:
        tenths = TENTHS * Decimal(str(value))
    except InvalidOperation:
        raise ScoringError(f"{name} is not a number", name) from None
    if not tenths.is_finite() or tenths != int(tenths):
        raise ScoringError(f"{name} is {value}; a cost has at most one digit after the point", name)
    return int(tenths)
