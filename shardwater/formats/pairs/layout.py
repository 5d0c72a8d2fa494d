"""What the formats of pairs show besides the pairs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layout:
    """What the scores are called (a matrix's name, or the scores of DNA), and the columns of a table."""

    scores: str
    columns: tuple[str, ...] = ()
