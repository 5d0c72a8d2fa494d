"""Numbers as text, as BLAST+ prints them: what readers and parsers of its reports expect.

The formats are those of C's printf, whose widths and roundings Python's share.
"""

import math

NOT_AVAILABLE = "N/A"

EVALUE_FORMATS = ((0.0009, ".0e"), (0.1, ".3f"), (1, ".2f"), (10, ".1f"), (math.inf, ".0f"))
"""Upper limit of an E-value, and how it is printed below that limit."""


def evalue_text(evalue: float | None, *, table: bool = False) -> str:
    """An E-value as in BLAST's reports; its tables have two more digits below 0.0009."""
    if evalue is None:
        return NOT_AVAILABLE
    if evalue < 1e-180:
        return "0.0"
    if table and evalue < 0.0009:
        return f"{evalue:.2e}"
    return next(format(evalue, spec) for limit, spec in EVALUE_FORMATS if evalue < limit)


def bits_text(bits: float | None) -> str:
    """A bit score: four characters wide with one decimal, above 99.9 the whole bits alone, cut off and not rounded."""
    if bits is None:
        return NOT_AVAILABLE
    if bits > 99_999:
        return f"{bits:.3e}"
    if bits > 99.9:
        return f"{int(bits)}"
    return f"{bits:4.1f}"


def percent_text(percent: float | None) -> str:
    """A percentage with three decimals."""
    return NOT_AVAILABLE if percent is None else f"{percent:.3f}"
