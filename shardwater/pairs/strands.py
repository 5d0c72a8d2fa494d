"""Batches of pairs aligned on the forward strand of the queries, or on the better of both strands."""

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.batch import Joined, Numbers, PairBatch
from shardwater.pairs.checked import align_checked
from shardwater.pairs.coded import Report
from shardwater.pairs.columns import Columns, Progress, Way
from shardwater.pairs.engine import Checkpoints, PairEngine
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.named import reverse_complement

Strands = Literal["forward", "both"]


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """A step of align_strands. cells: those that count, once for each strand; answers: what was found, if anything yet.

    Answers are columns and, for each of their rows, whether the query was turned round. progress: cells computed since
    the last step, counted or not. ways: finished pairs, by how they were computed.
    """

    cells: int
    progress: int
    answers: tuple[Columns, npt.NDArray[np.bool_]] | None = None
    ways: Mapping[Way, int] = field(default_factory=dict)


def passes(report: Report, strand: Strands) -> int:
    """How often the cells of a pair are computed: of both strands each is scored, and the better one is aligned."""
    if strand == "forward":
        return 1
    return 2 if report == "score" else 3


def align_strands(
    batch: PairBatch,
    scheme: Scheme,
    report: Report,
    strand: Strands,
    engine: PairEngine,
    checkpoints: Checkpoints | None = None,
) -> Generator[Aligned, None, None]:
    """The best alignments of each pair; with `both`, of the query's reverse complement where that scores better.

    With `both` each strand is scored first, and only the better one is aligned, by an engine that finds one alignment
    of a pair. Each strand's cells count once. Raises
    EngineError where the engine has not answered each pair once, or has given one pair two scores.
    """
    reverse, counts, progress = np.zeros(len(batch), np.bool_), 1, Progress()
    expected: Numbers | None = None
    if strand == "both":
        assert engine.most == 1
        turned, scores = turned_round(batch.queries, _complements()), []
        for done, queries in ((False, batch.queries), (report == "score", turned)):
            found = np.zeros(len(batch), np.int64)
            with closing(align_checked(engine, PairBatch(queries, batch.subjects), scheme, "score")) as parts:
                for part in parts:
                    found[part.numbers] = part.scores
                    ways = {part.way: part.pairs} if done else {}
                    yield Aligned(int(part.cells.sum()), progress.since(part), ways=ways)
            scores.append(found)
        reverse, counts, expected = scores[1] > scores[0], 0, np.maximum(*scores)
        if report == "score":
            numbers, cells = np.arange(len(batch)), np.multiply(*batch.lengths)
            yield Aligned(0, 0, (Columns.scored(scheme.mode.local, numbers, cells, expected), reverse))
            return
        batch = PairBatch(chosen(reverse, turned, batch.queries), batch.subjects)
    with closing(align_checked(engine, batch, scheme, report, checkpoints)) as parts:
        for part in parts:
            if expected is not None and (part.scores != expected[part.numbers]).any():
                raise EngineError("the engine has given a pair two scores")
            answers = part, reverse[part.numbers]
            yield Aligned(counts * int(part.cells.sum()), progress.since(part), answers, {part.way: part.pairs})


def turned_round(queries: Joined, complements: npt.NDArray[np.uint8]) -> Joined:
    """The reverse complement of each sequence; complements: by code or byte, that of its complement."""
    offsets = queries.offsets - queries.offsets[0]
    # Which letter comes to each place: the first of a sequence gets its last one.
    first, lengths = np.repeat(offsets[:-1], queries.lengths), np.repeat(queries.lengths, queries.lengths)
    places = 2 * first + lengths - 1 - np.arange(len(first))
    return Joined(complements[queries.letters[places]], offsets)


def chosen(which: npt.NDArray[np.bool_], one: Joined, other: Joined) -> Joined:
    """Sequence by sequence that of `one` where `which` is true, else that of `other`; both have the same lengths."""
    return Joined(np.where(np.repeat(which, one.lengths), one.letters, other.letters), one.offsets)


@lru_cache(maxsize=1)
def _complements() -> npt.NDArray[np.uint8]:
    return np.concatenate([DNA.encode(reverse_complement(letter.encode())) for letter in DNA.letters])
