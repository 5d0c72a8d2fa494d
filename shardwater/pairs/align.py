"""Pairs in, alignments out: any number of them, in order, in bounded memory."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import get_args

import numpy as np

from shardwater.alignment.alignment import Alignment
from shardwater.alignment.ends import Selection
from shardwater.alignment.scheme import Scheme
from shardwater.errors import ScoringError
from shardwater.pairs.aligned import AlignedPair, Rows, Strand
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.by_end_points import THE_BEST, check_several
from shardwater.pairs.coded import Report
from shardwater.pairs.engine import PairEngine
from shardwater.pairs.strands import Aligned, Strands, align_strands
from shardwater.pairs.told import ToldPairs
from shardwater.sequences.alphabet import Codes
from shardwater.sequences.alphabets import DNA, UnknownLetter
from shardwater.sequences.named import Letters

BATCH_PAIRS, BATCH_LETTERS = 1 << 14, 1 << 25
"""The most pairs of a batch, and the most letters of all its pairs; a larger pair is a batch of its own."""

Batch = Sequence[tuple[Letters, Letters]]
Computed = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class FoundPair:
    """A pair and an alignment of it, None where there is none; on strand `-` of the query's reverse complement."""

    query: Letters
    subject: Letters
    found: Alignment | None
    strand: Strand
    scheme: Scheme
    together: ToldPairs = field(compare=False, repr=False)
    """What was found with it; this one is its `row`."""
    row: int = field(compare=False, repr=False)

    @property
    def told(self) -> AlignedPair:
        """As users see it. Raises EngineError where an alignment found with it is not worth its score."""
        return self.together.pair(self.row)

    @property
    def rank(self) -> int:
        """Which alignment of its pair it is, from 1."""
        return int(self.together.all["rank"][self.row])

    @property
    def rows(self) -> Rows | None:
        """The three rows; None where there is no alignment. Only where alignments were asked for."""
        return None if self.found is None else self.together.rows(self.row)


def _unwatched(_: int) -> None:
    """Nobody looks how far it is."""


def found_pairs(pairs: Iterable[tuple[Letters, Letters]], together: ToldPairs) -> Iterator[FoundPair]:
    """These pairs, of which `together` has rows, in its order: one for each row."""
    columns = together.columns
    of_rows = chain.from_iterable(repeat(pair, rows) for pair, rows in zip(pairs, columns.counts.tolist(), strict=True))
    rows = zip(of_rows, columns, together.turned.tolist(), strict=True)
    for row, ((query, subject), (_, found), turned) in enumerate(rows):
        yield FoundPair(query, subject, found, "-" if turned else "+", together.scheme, together, row)


def align(
    pairs: Iterable[tuple[str | bytes, str | bytes]],
    scheme: Scheme,
    report: Report = "alignment",
    *,
    strand: Strands = "forward",
    best: Selection = THE_BEST,
    engine: PairEngine | None = None,
) -> Iterator[AlignedPair]:
    """Align each query with its subject; they are named by their numbers, from 1.

    strand `both`: of DNA, the reverse complement of the query is aligned instead where that scores better. best: of
    local pairs, which alignments of each: those that end in the best cells which are so far apart. engine: the CPU
    engine by default; gpu.open_pair_engine() opens the best one of the machine. Raises ScoringError at once, and
    UnknownLetter when the pair with that letter is reached.
    """
    alphabet = scheme.table.alphabet.name
    named = (
        (Letters(str(number), _bytes(query, alphabet)), Letters(str(number), _bytes(subject, alphabet)))
        for number, (query, subject) in enumerate(pairs, 1)
    )
    if engine is None:
        from shardwater.pairs.cpu import CpuPairs  # noqa: PLC0415  parasail is loaded by those who align

        engine = CpuPairs()
    if best != THE_BEST:
        check_several(scheme.mode, strand)
        engine = engine.several(best)
    return (each.told for each in align_named(named, scheme, report, strand, engine))


def align_named(
    pairs: Iterable[tuple[Letters, Letters]],
    scheme: Scheme,
    report: Report,
    strand: Strands,
    engine: PairEngine,
    computed: Computed = _unwatched,
) -> Iterator[FoundPair]:
    """Align pairs of named sequences. Pairs are read a batch at a time, and answered in order.

    computed: told of cells as they are computed, of each pair as many times as strands.passes says. Raises what `align`
    does.
    """
    for name, word, words in (("report", report, get_args(Report)), ("strand", strand, get_args(Strands))):
        if word not in words:
            raise ScoringError(f"{name} is one of {', '.join(words)}")
    if strand == "both" and scheme.table.alphabet is not DNA:
        raise ScoringError("only DNA has two strands")
    return _found_pairs(pairs, scheme, report, strand, engine, computed)


def _found_pairs(
    pairs: Iterable[tuple[Letters, Letters]],
    scheme: Scheme,
    report: Report,
    strand: Strands,
    engine: PairEngine,
    computed: Computed,
) -> Generator[FoundPair, None, None]:
    for batch in _batches(pairs):
        with closing(_aligned(batch, scheme, report, strand, engine, computed)) as found:
            yield from found


def _aligned(
    batch: Batch, scheme: Scheme, report: Report, strand: Strands, engine: PairEngine, computed: Computed
) -> Generator[FoundPair, None, None]:
    """The alignments of a batch in order, those of a pair as soon as all pairs before it are there."""
    answers, following = dict[int, list[FoundPair]](), 0
    coded = [[_encoded(each, scheme) for each in pair] for pair in batch]
    joined = PairBatch(Joined.of(query for query, _ in coded), Joined.of(subject for _, subject in coded))
    with closing(align_strands(joined, scheme, report, strand, engine)) as parts:
        for part in parts:
            computed(part.progress)
            for number, found in _found(part, batch, scheme, report):
                answers.setdefault(number, []).append(found)
            while following in answers:
                yield from answers.pop(following)
                following += 1


def _found(part: Aligned, batch: Batch, scheme: Scheme, report: Report) -> list[tuple[int, FoundPair]]:
    if part.answers is None:
        return []
    columns, reverse = part.answers
    pairs = [batch[number] for number in columns.numbers[columns.begins].tolist()]
    queries, subjects = ([pair[side].name for pair in pairs] for side in (0, 1))
    lettered = [] if report == "score" else pairs
    letters = PairBatch(
        *(Joined.of(np.frombuffer(pair[side].letters, np.uint8) for pair in lettered) for side in (0, 1))
    )
    told = ToldPairs(queries, subjects, letters, columns, reverse, scheme, report)
    found = found_pairs(pairs, told)
    return list(zip(columns.numbers.tolist(), found, strict=True))


def _encoded(sequence: Letters, scheme: Scheme) -> Codes:
    try:
        return scheme.table.alphabet.encode(sequence.letters)
    except UnknownLetter as error:
        raise UnknownLetter(error.alphabet, error.letter, error.column, f"sequence {sequence.name}") from None


def _batches(pairs: Iterable[tuple[Letters, Letters]]) -> Iterator[Batch]:
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


def _bytes(letters: str | bytes, alphabet: str) -> bytes:
    try:
        return letters.encode("ascii") if isinstance(letters, str) else bytes(letters)
    except UnicodeEncodeError as error:
        raise UnknownLetter(alphabet, error.object[error.start], error.start + 1) from None
