"""How two genomes are compared, and the parts that a comparison is done in."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args

from shardwater.errors import AlignError

if TYPE_CHECKING:
    # A command's options have these bounds, and need no arrays.
    from shardwater.genomes.genome import Genome

Sensitivity = Literal["sensitive", "fast", "hyperfast"]
Extension = Literal["letters", "blocks"]
Strands = Literal["both", "forward"]

LEAST_WORD, MOST_WORD = 8, 32
UNITS = 256
"""Words fall into so many units, each with the same words however a comparison is cut (decision 042)."""
UNIT_RUNS = 1 << 18
"""Runs that a unit takes of one strand. Where it has more, those of its most frequent words are sampled."""
MOST_DROP = 1 << 31
"""Of x_drop: no HSP scores more."""
PART_LETTERS = 1 << 27
"""Letters of both genomes for each part of a strand."""


class ComparisonError(AlignError):
    """A comparison that cannot be made as it is asked for."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is wanted of two genomes. Raises ComparisonError.

    word: letters of a word; sensitivity: which of the seeds of repeated words are taken; max_frequency: runs that may
    begin with one word, at most; extension: letter by letter, or in blocks of 32; x_drop: an HSP found letter by
    letter is cut where its score falls by more, 0: never; min_length, min_identity: letters, and per cent, that an HSP
    has at least.
    """

    word: int = 32
    sensitivity: Sensitivity = "sensitive"
    max_frequency: int | None = None
    extension: Extension = "letters"
    x_drop: int = 1000
    strands: Strands = "both"
    min_length: int = 100
    min_identity: float = 60.0

    def __post_init__(self) -> None:
        _check_word("sensitivity", self.sensitivity, get_args(Sensitivity))
        _check_word("extension", self.extension, get_args(Extension))
        _check_word("strands", self.strands, get_args(Strands))
        if not LEAST_WORD <= self.word <= MOST_WORD:
            raise ComparisonError(f"word is {self.word}: words have {LEAST_WORD} to {MOST_WORD} letters")
        if self.extension == "blocks" and self.word != MOST_WORD:
            raise ComparisonError(f"blocks of {MOST_WORD} letters go with words of {MOST_WORD}")
        if self.max_frequency is not None and self.max_frequency < 1:
            raise ComparisonError("max_frequency is at least 1")
        if not 0 <= self.x_drop <= MOST_DROP:
            raise ComparisonError(f"x_drop is from 0 to {MOST_DROP:,}")
        if self.min_length < 1 or not 0 <= self.min_identity <= 100:
            raise ComparisonError("min_length is at least 1, and min_identity from 0 to 100")

    @property
    def both(self) -> tuple[bool, ...]:
        """Whether each strand that is compared is the reverse one."""
        return (False, True) if self.strands == "both" else (False,)

    def parts(self, query: "Genome", subject: "Genome") -> tuple["Part", ...]:
        """What workers do, each on its own: of each strand some units; how many depends on the genomes' sizes alone.

        Blocks need all seeds of a diagonal: there a strand is one part.
        """
        letters = len(query) + len(subject)
        count = 1 if self.extension == "blocks" else min(64, -(-letters // PART_LETTERS) or 1)
        return tuple(part for reverse in self.both for part in _parts_of(reverse, count))


@dataclass(frozen=True, slots=True)
class Part:
    """The words of the units from first to before last, on the subject's forward or reverse strand."""

    reverse: bool
    first: int = 0
    last: int = UNITS


def _parts_of(reverse: bool, count: int) -> Iterator[Part]:
    borders = [UNITS * number // count for number in range(count + 1)]
    for first, last in pairwise(borders):
        yield Part(reverse, first, last)


def _check_word(name: str, word: str, words: tuple[str, ...]) -> None:
    if word not in words:
        raise ComparisonError(f"{name} is one of {', '.join(words)}")
