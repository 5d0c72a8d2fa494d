"""Pairs as engines take them, and what is wanted of each."""

from dataclasses import dataclass, replace
from typing import Literal

from shardwater.alignment.alignment import Alignment
from shardwater.sequences.alphabet import Codes

Report = Literal["score", "ends", "alignment"]
"""What is wanted of a pair: its score; where its best alignment begins and ends, too; or all of that alignment."""


@dataclass(frozen=True, slots=True)
class CodedPair:
    """Two sequences by the codes of the scheme's alphabet."""

    query: Codes
    subject: Codes

    @property
    def cells(self) -> int:
        """Letters of one times letters of the other."""
        return len(self.query) * len(self.subject)

    @property
    def most(self) -> int:
        """The largest code of both."""
        return max(int(self.query.max(initial=0)), int(self.subject.max(initial=0)))


def told(found: Alignment, report: Report) -> Alignment:
    """What is told of an alignment where no more of it is wanted."""
    if report == "alignment":
        return found
    if report == "ends":
        return replace(found, runs=())
    return Alignment.scored(found.score)
