"""What can go wrong, in the words of the person who can mend it.

Every error that a user may cause is an AlignError: it says what is wrong and where, once, and never
quotes more of a sequence than the one letter at fault.
"""

from dataclasses import dataclass


class AlignError(Exception):
    """Base of all errors with a message fit for a user."""


class FastaFormatError(AlignError):
    """Text that is not the FASTA we accept; says file, record, line and column where they are known.

    record, line and column count from 1; record 0 is text before the first header.
    """

    def __init__(
        self,
        detail: str,
        *,
        file: str | None = None,
        record: int | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        self.detail, self.file, self.record, self.line, self.column = detail, file, record, line, column
        super().__init__(detail)

    def __str__(self) -> str:
        places = [("record", self.record), ("line", self.line), ("column", self.column)]
        # Each counts from 1: what stands before the first header is in no record.
        where = ", ".join(f"{name} {value}" for name, value in places if value)
        prefix = ": ".join(part for part in (self.file, where) if part)
        return f"{prefix}: {self.detail}" if prefix else self.detail


class DatabaseError(AlignError):
    """A database that is missing, damaged, already there or of a format we do not read."""


class EngineError(AlignError):
    """An engine's answer that contradicts itself, or does not cover its shard: a fault of ours, never of the input."""


class ScoringError(AlignError):
    """An unknown matrix, a negative gap cost, or a matrix and gap pair without published statistics.

    parameter: the name of the one that is at fault, where that is known.
    """

    def __init__(self, detail: str, parameter: str | None = None) -> None:
        super().__init__(detail)
        self.parameter = parameter


@dataclass
class LimitExceeded(AlignError):
    """A published limit that the input passes: its name, the limit, what was sent, and which record passes it first.

    advice: what to do instead, where that is known.
    """

    name: str
    limit: int
    actual: int
    record: int | None = None
    advice: str = ""

    def __str__(self) -> str:
        where = "" if self.record is None else f", which record {self.record} is the first to pass"
        return f"{self.name} is {self.actual:,}, the limit is {self.limit:,}{where}{self.advice and '. '}{self.advice}"


class UnknownColumn(AlignError):
    """A table column that we do not have, or more columns than anybody needs."""


class SearchCancelled(AlignError):
    """Ends a search between two of its steps: nobody wants it any more."""
