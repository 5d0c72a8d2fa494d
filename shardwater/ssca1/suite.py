"""One run of the benchmark: each kernel with its time, its size and what is wrong with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

from shardwater.pairs.coded import CodedPair
from shardwater.pairs.end_points import EndPointEngine
from shardwater.ssca1 import kernels, verification
from shardwater.ssca1.problem import Problem

MOST_FAULTS = 5
"""That are told of a kernel."""
KERNELS = (
    "end points of the best alignments",
    "the best alignments",
    "the best matches of each",
    "costs of all pairs of matches",
    "multiple alignments of matches",
)

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class KernelReport:
    """A kernel: its number, what it finds, how much it found and did, its seconds, and what is wrong with it."""

    kernel: int
    finds: str
    found: int
    cells: int
    seconds: float
    faults: tuple[str, ...]

    @property
    def verified(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def run(problem: Problem, engine: EndPointEngine) -> Iterator[KernelReport]:
    """All five, one after the other; the clock covers a kernel, and not what verifies it."""
    query, subject, form = problem.query, problem.subject, problem.form
    pair = CodedPair(query, subject)
    ends, seconds = _timed(lambda: kernels.find_ends(pair, form, engine))
    faults = [*verification.check_ends(ends), *verification.check_whole(ends, query, subject, form)]
    yield _report(1, len(ends), len(query) * len(subject), seconds, iter(faults))

    every, seconds = _timed(lambda: kernels.align(pair, ends, form, engine))
    matches, seconds_more = _timed(lambda: kernels.distinct(every))
    checks = (
        verification.check_ending(every, ends),
        verification.check_matches(every, query, subject, form),
        verification.check_distinct(matches, every),
        verification.check_planted(matches, problem),
    )
    faults = [fault for check in checks for fault in check]
    yield _report(2, len(matches), len(query) * len(subject), seconds + seconds_more, iter(faults))

    sets, seconds = _timed(lambda: kernels.match_all(matches, subject, form, engine))
    cells = sum(len(match.query) for match in matches) * len(subject)
    found = sum(len(each.told) for each in sets)
    yield _report(3, found, cells, seconds, verification.check_matches_of_all(sets, matches, subject, form))

    # A set that should not be empty was told of as it was verified.
    sequences = [[match.subject for match in each.told] for each in sets if each.told]
    costs, seconds = _timed(lambda: [kernels.compare(each, form) for each in sequences])
    pairs = [len(each) * (len(each) - 1) // 2 for each in sequences]
    cells = sum((sum(map(len, each)) ** 2 - sum(len(one) ** 2 for one in each)) // 2 for each in sequences)
    checked = map(verification.check_costs, range(len(sequences)), sequences, costs)
    yield _report(4, sum(pairs), cells, seconds, verification.several(checked))

    combined, seconds = _timed(lambda: [kernels.combine(*each, form) for each in zip(sequences, costs, strict=True)])
    cells = sum(len(each[one.centre]) * sum(map(len, each)) for each, one in zip(sequences, combined, strict=True))
    checked = map(verification.check_alignment, sequences, costs, combined)
    yield _report(5, len(combined), cells, seconds, verification.several(checked))


def _timed(work: Callable[[], Made]) -> tuple[Made, float]:
    begun = perf_counter()
    return work(), perf_counter() - begun


def _report(kernel: int, found: int, cells: int, seconds: float, faults: Iterator[str]) -> KernelReport:
    return KernelReport(kernel, KERNELS[kernel - 1], found, cells, seconds, tuple(faults)[:MOST_FAULTS])
