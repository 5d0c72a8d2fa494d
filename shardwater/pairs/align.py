"""Pairs in, alignments out: any number of them, in order, in bounded memory."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.scheme import Scheme
from shardwater.engines.engine import gather
from shardwater.errors import ScoringError
from shardwater.pairs.aligned import AlignedPair, Letters, Rows, Strand, aligned_pair, reverse_complement, rows
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.engine import CodedPair, PairEngine, Report
from shardwater.sequences.alphabets import DNA

Strands = Literal["forward", "both"]
BATCH_PAIRS, BATCH_LETTERS = 1 << 16, 1 << 25
"""Pairs, and letters of theirs, that are aligned together at most, where no pair alone has more."""


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A pair, and its best alignment: of the query's reverse complement on strand `-`, None where there is none."""

    query: Letters
    subject: Letters
    found: Alignment | None
    strand: Strand
    scheme: Scheme
    report: Report

    @property
    def told(self) -> AlignedPair:
        """As users see it."""
        return aligned_pair(self.query, self.subject, self.found, self.scheme, self.report, self.strand)

    @property
    def rows(self) -> Rows | None:
        """The three rows; None where there is no alignment. Only where alignments were asked for."""
        if self.found is None:
            return None
        return rows(self.query, self.subject, self.found, self.scheme, self.strand)


def align(
    pairs: Iterable[tuple[str | bytes, str | bytes]],
    scheme: Scheme,
    report: Report = "alignment",
    *,
    strand: Strands = "forward",
    engine: PairEngine | None = None,
) -> Iterator[AlignedPair]:
    """Align each query with its subject; they are named by their numbers, from 1.

    strand `both`: of DNA, the reverse complement of the query too, where that scores better. engine: the CPU's where
    none is given (gpu.open_pair_engine() opens the machine's best). Raises UnknownLetter and ScoringError.
    """
    named = (
        (Letters(str(number), _bytes(query)), Letters(str(number), _bytes(subject)))
        for number, (query, subject) in enumerate(pairs, 1)
    )
    return (each.told for each in align_named(named, scheme, report, strand, engine or CpuPairs()))


def align_named(
    pairs: Iterable[tuple[Letters, Letters]], scheme: Scheme, report: Report, strand: Strands, engine: PairEngine
) -> Iterator[FoundPair]:
    """The same of sequences with names, in order, a batch at a time."""
    if strand == "both" and scheme.table.alphabet is not DNA:
        raise ScoringError("only DNA has two strands")
    for batch in _batches(pairs):
        found = _found(batch, scheme, report, engine)
        other = found if strand == "forward" else _found([_reversed(pair) for pair in batch], scheme, report, engine)
        for (query, subject), one, two in zip(batch, found, other, strict=True):
            reverse = _score(two) > _score(one)
            yield FoundPair(query, subject, two if reverse else one, "-" if reverse else "+", scheme, report)


def _found(
    batch: Sequence[tuple[Letters, Letters]], scheme: Scheme, report: Report, engine: PairEngine
) -> list[Alignment | None]:
    encode = scheme.table.alphabet.encode
    coded = [CodedPair(encode(query.letters), encode(subject.letters)) for query, subject in batch]
    with closing(engine.align(coded, scheme, report)) as slices:
        return gather(slices)


def _reversed(pair: tuple[Letters, Letters]) -> tuple[Letters, Letters]:
    query, subject = pair
    return Letters(query.name, reverse_complement(query.letters)), subject


def _score(found: Alignment | None) -> int:
    return 0 if found is None else found.score


def _batches(pairs: Iterable[tuple[Letters, Letters]]) -> Iterator[list[tuple[Letters, Letters]]]:
    batch, letters = list[tuple[Letters, Letters]](), 0
    for pair in pairs:
        more = sum(len(each.letters) for each in pair)
        if batch and (len(batch) == BATCH_PAIRS or letters + more > BATCH_LETTERS):
            yield batch
            batch, letters = [], 0
        batch.append(pair)
        letters += more
    if batch:
        yield batch


def _bytes(letters: str | bytes) -> bytes:
    # A letter beyond ASCII becomes one that no alphabet has.
    return letters if isinstance(letters, bytes) else letters.encode("ascii", "replace")
