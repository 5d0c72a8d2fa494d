"""Pairs of sequences for tests, and answers that no engine has given."""

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from shardwater.alignment.alignment import Alignment, Run
from shardwater.alignment.scheme import Scheme
from shardwater.pairs.batch import Joined, PairBatch
from shardwater.pairs.coded import CodedPair, Report
from shardwater.pairs.columns import Columns
from shardwater.pairs.engine import Checkpoints
from shardwater.sequences.alphabets import DNA


def random_pair(rng, letters, rows, columns, related=0.7):
    """Related more often than not: a copy with edits and long gaps, cut or filled up to the length."""
    query, subject = (rng.integers(0, letters, length, np.uint8) for length in (rows, columns))
    if rng.random() < related:
        copy = np.delete(query, np.flatnonzero(rng.random(rows) < 0.03))
        copy = np.insert(copy, rng.integers(0, len(copy) + 1, rows // 40), rng.integers(0, letters))
        place, cut = rng.integers(0, len(copy) + 1), rng.integers(0, 60)
        copy = np.concatenate((copy[:place], copy[place + cut :]))
        subject[: len(copy)] = copy[:columns]
    return CodedPair(query, subject)


def aligned(engine, pairs, scheme, report="alignment"):
    """What an engine finds of each pair, in their order: an alignment, or None."""
    found = dict(answer for part in engine.align_batch(PairBatch.of(pairs), scheme, report) for answer in part)
    assert len(found) == len(pairs)
    return [found[number] for number in range(len(pairs))]


def written(pairs: Sequence[tuple[str, str]]) -> PairBatch:
    """The letters of pairs, as bytes."""
    queries, subjects = ([np.frombuffer(pair[side].encode(), np.uint8) for pair in pairs] for side in (0, 1))
    return PairBatch(Joined.of(queries), Joined.of(subjects))


def alignment(score: int, query: tuple[int, int], subject: tuple[int, int], path: str) -> Alignment:
    """An alignment of what lies between these places, counted from 0; path: as 3M1I2D."""
    runs = tuple(Run(kind, int(length)) for length, kind in re.findall(r"(\d+)([MID])", path))
    return Alignment(score, *query, *subject, runs)


def answered(pairs: Sequence[tuple[str, str]], found: Sequence[Alignment | None], *, local: bool) -> Columns:
    """The answers of all pairs, in order."""
    return Columns.of(list(enumerate(found)), written(pairs).lengths, local)


def coded(pairs: Sequence[tuple[str, str]]) -> PairBatch:
    """Pairs of DNA by their codes."""
    return PairBatch.of([CodedPair(*(DNA.encode(letters.encode()) for letters in pair)) for pair in pairs])


@dataclass
class Scripted:
    """An engine that gives these answers, one list of parts a call, and notes what it was asked for."""

    calls: list[Iterable[Columns]]
    name: str = "scripted"
    most: int = 1

    def __post_init__(self) -> None:
        self.asked: list[tuple[list[str], Report]] = []

    def align_batch(
        self, batch: PairBatch, scheme: Scheme, report: Report, checkpoints: Checkpoints | None = None
    ) -> Generator[Columns, None, None]:
        """The next of its answers; notes the queries' letters, and the report."""
        self.asked.append((["".join(DNA.letters[code] for code in pair.query) for pair in batch], report))
        yield from self.calls.pop(0)
