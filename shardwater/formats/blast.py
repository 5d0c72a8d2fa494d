"""What BLAST's XML and its JSON both say of a search, besides the hits."""

from dataclasses import dataclass

from shardwater.search.merge import QueryResult, Report, StatisticsUsed
from shardwater.search.parameters import Parameters
from shardwater.statistics.evalue import length_adjustment, published_row
from shardwater.statistics.karlin_altschul import KarlinAltschul

PROGRAM = "blastp"
"""The kind of search, protein against protein: readers choose the meaning of coordinates by it."""
REFERENCE = (
    "T. F. Smith and M. S. Waterman (1981), J. Mol. Biol. 147:195-197; "
    "affine gaps: O. Gotoh (1982), J. Mol. Biol. 162:705-708."
)
NO_HITS = "No hits found"
NOT_MASKED = "F"
UNKNOWN, NO_CONSTANT = "NaN", -1
"""What stands in XML for a figure and for a constant of the statistics that there is none of, as BLAST puts it."""


@dataclass(frozen=True, slots=True)
class Stat:
    """BLAST's statistics of one query; 0 and None where there are none."""

    hsp_len: int
    eff_space: int
    kappa: float | None
    lambda_: float | None
    entropy: float | None

    @classmethod
    def of(cls, report: Report, one: QueryResult) -> "Stat":
        """hsp_len is the length adjustment, which the result does not carry but its search space gives."""
        used, certificate, parameters = one.statistics, report.certificate, report.parameters
        row = row_of(used, parameters)
        if used.eff_space is None or row is None:
            return cls(0, 0, None, None, None)
        searched = parameters.searched_length(one.query.length)
        space = parameters.space(searched, certificate.residues, certificate.subjects)
        return cls(length_adjustment(row, space), used.eff_space, used.kappa, used.lambda_, used.entropy)


def row_of(used: StatisticsUsed, parameters: Parameters) -> KarlinAltschul | None:
    """The parameters that figures were made with, or those that are published for the gap costs."""
    if used.simulated is not None:
        return used.simulated.row
    return published_row(parameters.scoring)


def version(report: Report) -> str:
    """The program's name and version."""
    return f"Shardwater {report.software.version}"


def database(report: Report) -> str:
    """The database's name and version."""
    return f"{report.database.name} {report.database.version}"
