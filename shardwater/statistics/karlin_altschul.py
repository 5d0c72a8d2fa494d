"""The published Karlin-Altschul parameters, read from karlin_altschul.txt.

Parameters of gapped alignments are found by simulation, one pair of gap costs at a time: they cannot be
worked out for another pair, so a pair that is not in the table has none.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from shardwater.errors import ScoringError

JSON_NAMES: dict[str, Any] = {
    "alias_generator": lambda name: name.rstrip("_"),
    "populate_by_name": True,
    "serialize_by_alias": True,
}
"""For pydantic: Python keeps the word `lambda` to itself, and JSON has it."""
TABLE = Path(__file__).with_name("karlin_altschul.txt")


@dataclass(frozen=True, slots=True)
class GapCosts:
    """A pair of gap costs with published statistics; `recommended` marks BLAST's choice for the matrix."""

    gap_open: int
    gap_extend: int
    recommended: bool = False

    def __str__(self) -> str:
        return f"{self.gap_open}/{self.gap_extend}"


@dataclass(frozen=True, slots=True)
class Ungapped:
    """The parameters of a matrix without gaps: the limit that every gapped row tends to as gaps get dearer."""

    lambda_: float
    kappa: float
    entropy: float
    alpha: float
    alpha_v: float


@dataclass(frozen=True, slots=True)
class KarlinAltschul:
    """The parameters of one matrix with one pair of gap costs.

    alpha and beta belong to the length adjustment. An alignment of score y is about alpha * y + b letters
    long, with variance alpha_v * y + beta_v and, between the two sequences, covariance sigma * y + tau.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = JSON_NAMES

    lambda_: float
    kappa: float
    entropy: float
    alpha: float
    beta: float
    alpha_v: float
    sigma: float
    b: float
    beta_v: float
    tau: float


@dataclass(frozen=True, slots=True)
class Simulated:
    """Parameters from simulated scores (simulated.py), and the standard errors of lambda and K."""

    row: KarlinAltschul
    lambda_error: float
    kappa_error: float


@dataclass(frozen=True, slots=True)
class Published:
    """What is published for one matrix: its ungapped row, and a row for each pair of gap costs."""

    ungapped: Ungapped
    gapped: dict[GapCosts, KarlinAltschul]

    def row(self, gap_open: int, gap_extend: int) -> KarlinAltschul | None:
        """The parameters of a pair of gap costs, None where nothing is published for it."""
        found = (row for pair, row in self.gapped.items() if (pair.gap_open, pair.gap_extend) == (gap_open, gap_extend))
        return next(found, None)


@cache
def published(matrix: str) -> Published:
    """All that is published for a matrix, named in upper case."""
    lines = list(_lines(matrix))
    if not lines:
        raise ScoringError(f"no published statistics for a matrix named {matrix!r}")
    ungapped = next(_ungapped(line) for line in lines if line[0] == "u")
    return Published(ungapped, dict(_gapped(line, ungapped) for line in lines if line[0] != "u"))


def published_pairs(matrix: str) -> tuple[GapCosts, ...]:
    """The gap costs that have statistics with a matrix: BLAST's recommended pair, then the table's order."""
    return tuple(sorted(published(matrix.upper()).gapped, key=lambda pair: not pair.recommended))


def _lines(matrix: str) -> Iterator[list[str]]:
    for line in TABLE.read_text(encoding="ascii").splitlines():
        name, *fields = line.split() or ["#"]
        if name == matrix:
            yield fields


def _ungapped(fields: list[str]) -> Ungapped:
    lambda_, kappa, entropy, alpha, _beta, _c, alpha_v = (float(field) for field in fields[2:9])
    return Ungapped(lambda_, kappa, entropy, alpha, alpha_v)


def _gapped(fields: list[str], ungapped: Ungapped) -> tuple[GapCosts, KarlinAltschul]:
    pair = GapCosts(int(fields[0]), int(fields[1]), recommended=fields[10:] == ["*"])
    lambda_, kappa, entropy, alpha, beta, _c, alpha_v, sigma = (float(field) for field in fields[2:10])
    row = KarlinAltschul(lambda_, kappa, entropy, alpha, beta, alpha_v, sigma, b=0.0, beta_v=0.0, tau=0.0)
    return pair, with_intercepts(row, ungapped.alpha, ungapped.alpha_v, pair.gap_open + pair.gap_extend)


def with_intercepts(row: KarlinAltschul, alpha: float, alpha_v: float, gap_first: int) -> KarlinAltschul:
    """The row with the intercepts of its three lines, which follow from the slopes without gaps, alpha and alpha_v."""
    return replace(
        row,
        b=2 * gap_first * (alpha - row.alpha),
        beta_v=2 * gap_first * (alpha_v - row.alpha_v),
        tau=2 * gap_first * (alpha_v - row.sigma),
    )
