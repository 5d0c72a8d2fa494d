"""What one search may ask for."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from shardwater.errors import LimitExceeded
from shardwater.search.warnings import OF_DNA, count_nucleotides, looks_like_dna
from shardwater.sequences.fasta import Record, count_headers


@dataclass(frozen=True, slots=True)
class Limits:
    """What one search may ask for; published by /v1/service-info and enforced before anything is computed."""

    max_body_bytes: int = 16_000_000
    max_queries: int = 1000
    max_query_length: int = 50_000
    max_query_residues: int = 5_000_000
    max_hits: int = 200_000
    """Queries x max_target_seqs x max_hsps: what one result may hold."""
    max_score_bytes: int = 4_000_000_000
    """4 x queries x subjects: what is kept of all scores."""
    max_profile_residues: int = 500_000
    """Of all queries of a search in rounds: their profiles take some hundred bytes a residue where they are made."""

    def check_text(self, sequence: str | bytes) -> None:
        """Raise LimitExceeded for text with more records than may be read."""
        self.check_queries(count_headers(sequence))

    def check_queries(self, actual: int) -> None:
        """Raise LimitExceeded for more records than may be read."""
        if actual > self.max_queries:
            raise LimitExceeded("max_queries", self.max_queries, actual, self.max_queries + 1)

    def check(self, records: list[Record], hits: int) -> None:
        """Raise LimitExceeded for the first limit that the queries pass; hits: of each, its alignments counted."""
        lengths = [len(record.residues) for record in records]
        self._check_sum("max_queries", [1] * len(records))
        for number, length in enumerate(lengths, start=1):
            if length > self.max_query_length:
                advice = _advice_on(records[number - 1])
                raise LimitExceeded("max_query_length", self.max_query_length, length, number, advice)
        self._check_sum("max_query_residues", lengths, records)
        if (actual := len(records) * hits) > self.max_hits:
            raise LimitExceeded("max_hits", self.max_hits, actual)

    def check_profiles(self, records: Sequence[Record]) -> None:
        """Raise LimitExceeded for more residues than profiles are made of in one search."""
        self._check_sum("max_profile_residues", [len(record.residues) for record in records])

    def check_scores(self, score_bytes: int) -> None:
        """Raise LimitExceeded for more scores than are kept of a search."""
        if score_bytes > self.max_score_bytes:
            raise LimitExceeded("max_score_bytes", self.max_score_bytes, score_bytes)

    def _check_sum(self, name: str, sizes: Sequence[int], records: Sequence[Record] = ()) -> None:
        limit: int = getattr(self, name)
        if (actual := sum(sizes)) > limit:
            first = next(number for number, size in enumerate(accumulate(sizes), start=1) if size > limit)
            raise LimitExceeded(name, limit, actual, first, _advice_on(records[first - 1]) if records else "")


def _advice_on(record: Record) -> str:
    """Advice for a record that is too long and looks like DNA."""
    is_dna = looks_like_dna(len(record.residues), count_nucleotides(record))
    return f"This looks like DNA. This search needs proteins. {OF_DNA}" if is_dna else ""
