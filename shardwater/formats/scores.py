"""All scores of a search: a table with every subject, as text or Parquet, or the numbers alone.

Rows come in the order of the database, those of several one after the other, query after query. Bits and E-values are
of the score as it is: to adjust them to composition takes alignments. They are by the statistics of the result, so that
a threshold may be moved without another search.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from shardwater.database.joined import Joined
from shardwater.errors import AlignError
from shardwater.formats.number_text import bits_text, evalue_text
from shardwater.formats.parquet import MISSING, ParquetMissing, installed, table_file
from shardwater.formats.titles import one_line
from shardwater.search.judging import Judge
from shardwater.search.merge import QueryResult, Report
from shardwater.search.scores import DTYPE, KeptScores, Scores
from shardwater.statistics.evalue import Statistics

ScoreFormat = Literal["tab", "parquet", "raw"]
SCORE_FORMATS: tuple[ScoreFormat, ...] = get_args(ScoreFormat)
COLUMNS = {
    "query": str,
    "accession": str,
    "length": int,
    "score": int,
    "bits": float,
    "evalue": float,
    "database": str,
}


class UnfitThreshold(AlignError):
    """A threshold that cannot be kept; `threshold` is its name."""

    def __init__(self, threshold: str, reason: str) -> None:
        super().__init__(reason)
        self.threshold = threshold


@dataclass(frozen=True, slots=True)
class Threshold:
    """Which subjects a table has: those of at least this score, and of at most this E-value, if there is a limit."""

    min_score: int = 0
    max_evalue: float | None = None


EVERYONE = Threshold()


@dataclass(frozen=True, slots=True)
class AllScores:
    """The scores of all subjects for some queries of a result: the report has these, first is the number of the first
    among those whose scores are kept, from 0.
    """

    report: Report
    kept: KeptScores
    first: int = 0

    def queries(self) -> Iterator[tuple[QueryResult, Iterator[tuple[int, Scores]]]]:
        """Each query and its scores, block by block: its first subject, and those from there on.

        Raises DamagedScores for a query whose files are not what they were, before its first block.
        """
        for number, one in enumerate(self.report.results, start=self.first):
            self.kept.check(number)
            yield one, self.kept.blocks(number)


def write_raw(scores: AllScores, threshold: Threshold = EVERYONE) -> Iterator[bytes]:
    """int32, little-endian, a number for each subject of each query. Raises UnfitThreshold for any threshold."""
    for name, default in (("min_score", 0), ("max_evalue", None)):
        if getattr(threshold, name) != default:
            raise UnfitThreshold(name, "raw has a number for each subject; tab and parquet leave some out")
    return (block.astype(DTYPE, copy=False).tobytes() for _, blocks in scores.queries() for _, block in blocks)


def write_tab(scores: AllScores, databases: Joined, threshold: Threshold = EVERYONE) -> Iterator[str]:
    """Tabs between cells, the columns' names in a first line after a `#`; N/A where there are no statistics.

    Raises UnfitThreshold, before anything is written, where there are no E-values to be limited.
    """
    _check_evalues(scores, threshold)
    return _lines(scores, databases, threshold)


def write_parquet(scores: AllScores, databases: Joined, threshold: Threshold = EVERYONE) -> Iterator[bytes]:
    """The same table, typed, with the result's metadata. Raises ParquetMissing besides."""
    _check_evalues(scores, threshold)
    if not installed():
        raise ParquetMissing(MISSING)
    return table_file(COLUMNS, scores.report, _values(_rows(scores, databases, threshold)))


def statistics_of(report: Report, one: QueryResult) -> Statistics:
    """What the figures of a query's hits come from, as its result has it."""
    parameters, size, used = report.parameters, report.certificate, one.statistics
    space = parameters.space(parameters.searched_length(one.query.length), size.residues, size.subjects)
    return Judge.by(parameters, space, used.fit, used.fallback_reason or "").statistics


def _check_evalues(scores: AllScores, threshold: Threshold) -> None:
    if threshold.max_evalue is not None and any(one.statistics.method == "none" for one in scores.report.results):
        raise UnfitThreshold("max_evalue", "a query of the search has no statistics, and so no E-values")


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Rows of a query from one database; bits and evalues are None where it has no statistics."""

    query: str
    database: str
    accessions: Sequence[str]
    lengths: npt.NDArray[np.int64]
    scores: Scores
    bits: npt.NDArray[np.float64] | None
    evalues: npt.NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.scores)


def _rows(scores: AllScores, databases: Joined, threshold: Threshold) -> Iterator[_Rows]:
    for one, blocks in scores.queries():
        statistics = statistics_of(scores.report, one)
        for first, block in blocks:
            lengths = databases.lengths_of(range(first, first + len(block)))
            bits, evalues = _figures(statistics, block, lengths)
            wanted = block >= threshold.min_score
            if threshold.max_evalue is not None and evalues is not None:
                wanted &= evalues <= threshold.max_evalue
            subjects = first + np.flatnonzero(wanted)
            yield _Rows(
                one.query.id,
                databases.name_of(first),
                [accession for accession, _ in databases.names_of_all(subjects.tolist())],
                lengths[wanted],
                block[wanted],
                None if bits is None else bits[wanted],
                None if evalues is None else evalues[wanted],
            )


def _figures(
    statistics: Statistics, scores: Scores, lengths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64] | None, npt.NDArray[np.float64] | None]:
    """Bits and E-values, each worked out once for all subjects of a length and a score: neighbours share many."""
    different, which = np.unique(scores.astype(np.int64) << 32 | lengths, return_inverse=True)
    figures = statistics.figures((different >> 32).tolist(), (different & 0xFFFF_FFFF).tolist())
    if any(each.evalue is None for each in figures):
        return None, None
    table = np.array([(each.bits, each.evalue) for each in figures], np.float64).reshape(-1, 2)
    return table[which, 0], table[which, 1]


def _lines(scores: AllScores, databases: Joined, threshold: Threshold) -> Iterator[str]:
    yield f"#{_line(COLUMNS)}"
    for rows in _rows(scores, databases, threshold):
        query, database, nothing = one_line(rows.query), one_line(rows.database), [None] * len(rows)
        bits = nothing if rows.bits is None else rows.bits.tolist()
        evalues = nothing if rows.evalues is None else rows.evalues.tolist()
        columns = zip(rows.accessions, rows.lengths.tolist(), rows.scores.tolist(), bits, evalues, strict=True)
        yield "".join(
            _line((query, one_line(name), str(length), str(score), *_figures_text(bit, evalue), database))
            for name, length, score, bit, evalue in columns
        )


def _figures_text(bits: float | None, evalue: float | None) -> tuple[str, str]:
    return bits_text(bits), evalue_text(evalue, table=True)


def _line(cells: Iterable[str]) -> str:
    return "\t".join(cells) + "\n"


def _values(rows: Iterable[_Rows]) -> Iterator[Sequence[object]]:
    """The columns of each group of rows."""
    for each in rows:
        nothing = [None] * len(each)
        bits, evalues = (nothing if values is None else values for values in (each.bits, each.evalues))
        query, database = [each.query] * len(each), [each.database] * len(each)
        yield query, each.accessions, each.lengths, each.scores, bits, evalues, database
