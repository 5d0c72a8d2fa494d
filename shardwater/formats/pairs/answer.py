"""What the formats of pairs are written from: an answer with its sequences, and what is the same for all answers."""

from dataclasses import dataclass

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.aligned import AlignedPair, Letters, Rows, Strand, aligned_pair, reverse_complement, rows
from shardwater.pairs.engine import Report


@dataclass(frozen=True, slots=True)
class Answer:
    """A pair and what was found of it; query_number counts queries from 0, and tells those of one name apart."""

    query_number: int
    query: Letters
    subject: Letters
    found: Alignment | None
    strand: Strand = "+"

    @property
    def aligned_query(self) -> bytes:
        """The letters that were aligned: the reverse complement on strand `-`."""
        return reverse_complement(self.query.letters) if self.strand == "-" else self.query.letters


@dataclass(frozen=True, slots=True)
class Layout:
    """What was asked for: the scheme and what its scores are called, the report, and the columns of a table."""

    scheme: Scheme
    scores: str
    report: Report
    columns: tuple[str, ...] = ()

    def pair(self, answer: Answer) -> AlignedPair:
        """What is told of an answer."""
        return aligned_pair(answer.query, answer.subject, answer.found, self.scheme, self.report, answer.strand)

    def rows(self, answer: Answer, found: Alignment) -> Rows:
        """The three rows of its alignment."""
        return rows(answer.query, answer.subject, found, self.scheme, answer.strand)
