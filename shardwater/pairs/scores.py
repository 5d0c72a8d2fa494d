"""How letters and gaps score: what the user says, and the defaults of the alphabet for the rest."""

from dataclasses import dataclass
from typing import Any

from shardwater.alignment.scheme import Mode, Number, Scheme
from shardwater.errors import ScoringError
from shardwater.scoring.scoring import Scoring
from shardwater.scoring.table import Table, match_table, matrix_table
from shardwater.scoring.table_text import read_table
from shardwater.sequences.alphabets import ALPHABETS, DNA, Alphabet

MATCH, MISMATCH, DNA_GAP, MATRIX = 2, -1, 1, "BLOSUM62"
"""The defaults; gaps of a matrix cost what BLAST recommends for it."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What the user says of them, None for the default. table: scores of DNA, as text like NCBI's matrices."""

    alphabet: str | None = None
    matrix: str | None = None
    match: int | None = None
    mismatch: int | None = None
    table: str | None = None
    gap_open: Number | None = None
    gap_extend: Number | None = None

    def known_alphabet(self, *, both_strands: bool = False) -> Alphabet | None:
        """The alphabet that is named, or that follows from a parameter for one alphabet alone; None where neither does.

        Raises ScoringError where the parameters contradict each other.
        """
        if self.table is not None and (self.match is not None or self.mismatch is not None):
            raise ScoringError("a table has all scores: leave out match and mismatch", "table")
        named = {"match": self.match, "mismatch": self.mismatch, "table": self.table}
        of_dna = [name for name, value in named.items() if value is not None] + ["strand both"] * both_strands
        if of_dna and (self.matrix is not None or self.alphabet == "protein"):
            raise ScoringError(f"{of_dna[0]} is for DNA, not for proteins", of_dna[0].split()[0])
        if self.matrix is not None and self.alphabet == "dna":
            raise ScoringError("matrix is for proteins: DNA has match and mismatch, or a table", "matrix")
        said = self.alphabet or (of_dna and "dna") or (self.matrix and "protein")
        return ALPHABETS[said] if said else None

    def of_letters(self, alphabet: Alphabet) -> dict[str, Any]:
        """The parameters that say how letters score, by name, with defaults for those that were not given."""
        if alphabet is not DNA:
            return {"matrix": (self.matrix or MATRIX).upper()}
        return {"table": self.table} if self.table is not None else {"match": self._match, "mismatch": self._mismatch}

    def called(self, alphabet: Alphabet) -> str:
        """What formats call the scores of letters."""
        if alphabet is not DNA:
            return (self.matrix or MATRIX).upper()
        return "a table" if self.table is not None else f"match {self._match}, mismatch {self._mismatch}"

    def scheme(self, alphabet: Alphabet, mode: Mode) -> Scheme:
        """The scheme, with the alphabet's defaults for what was not given. Raises ScoringError."""
        usual_open: Number
        usual_extend: Number
        if alphabet is DNA:
            table, usual_open, usual_extend = self._dna_table(), DNA_GAP, DNA_GAP
        else:
            usual = Scoring.recommended(self.matrix or MATRIX)
            table, usual_open, usual_extend = matrix_table(usual.matrix), usual.gap_open, usual.gap_extend
        gap_open = usual_open if self.gap_open is None else self.gap_open
        return Scheme.of(table, gap_open, usual_extend if self.gap_extend is None else self.gap_extend, mode)

    @property
    def _match(self) -> int:
        return MATCH if self.match is None else self.match

    @property
    def _mismatch(self) -> int:
        return MISMATCH if self.mismatch is None else self.mismatch

    def _dna_table(self) -> Table:
        further = "match" if abs(self._match) >= abs(self._mismatch) else "mismatch"
        try:
            return match_table(self._match, self._mismatch) if self.table is None else read_table(self.table)
        except ScoringError as error:
            # Of two scores the one that is further from 0: that is all that may be wrong with them.
            raise ScoringError(str(error), further if self.table is None else "table") from None
