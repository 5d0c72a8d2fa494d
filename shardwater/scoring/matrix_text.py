"""Users' own matrices for proteins as text: NCBI's form, with letters in the first line and before each row."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from shardwater.errors import ScoringError
from shardwater.plural import plural
from shardwater.scoring.scoring import MOST_OWN, Matrix, Rows, own_matrix
from shardwater.sequences.alphabet import LETTERS, X_CODE
from shardwater.statistics.background import RESIDUES, WithoutGaps, residue_counts

AMBIGUOUS = {"B": "ND", "Z": "QE", "X": LETTERS[:RESIDUES]}
"""What a letter stands for that is no residue: where a text leaves it out, its scores are the mean of theirs."""
UNUSED = "JUO"
"""Letters that some texts have and that sequences never score by: they are read as X (alphabet.py)."""
STOP = "*"
STOP_STOP = 1
"""What the letter for a stop scores against itself where a text leaves it out, as in NCBI's matrices."""

LEAST_LAMBDA = 0.02
"""The scale of scores without gaps. With less, scores of unrelated subjects would pass those that are counted one by
one (shardwater/statistics/distribution.py: SCORES)."""

MOST_WORDS = 64
"""Of a line, and lines: twice as many as there may be."""
_WORD = re.compile(r"[^ \t]+")
_NUMBER = re.compile(r"([+-]?[0-9]{1,9})(?:\.0{1,9})?")

_Scores = Mapping[tuple[str, str], int]


class MatrixFormatError(ScoringError):
    """Text that is no matrix that can be searched with; line and column count from 1, None where all is at fault."""

    def __init__(self, detail: str, line: int | None = None, column: int | None = None) -> None:
        self.detail, self.line, self.column = detail, line, column
        places = [f"{name} {value}" for name, value in (("line", line), ("column", column)) if value is not None]
        super().__init__(f"{', '.join(places)}: {detail}" if places else detail)


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    line: int
    column: int

    def refused(self, detail: str) -> MatrixFormatError:
        return MatrixFormatError(detail, self.line, self.column)


def read_matrix(text: str) -> Rows:
    """The scores that a text holds, its letters in either case and in any order; `#` begins a comment line.

    A byte order mark before the text is passed over, and 4.0 is the whole number 4.

    The twenty residues have to be there; what else is left out is filled (_filled). Raises MatrixFormatError, also for
    a matrix that scores cannot be judged by: one without a score above 0, whose expected score is not below it, or in
    so small a unit that its lambda is below LEAST_LAMBDA.
    """
    header, rows = _lines(text)
    columns = [_letter(word) for word in header]
    _check_once(header, columns)
    firsts = [row[0] for row in rows]
    names = [_letter(word) for word in firsts]
    _check_once(firsts, names)
    for word, name in [*zip(firsts, names, strict=True), *zip(header, columns, strict=True)]:
        if name not in columns or name not in names:
            raise word.refused(f"{name} has a column or a row, and needs both")
    words = {
        (name, column): word
        for name, row in zip(names, rows, strict=True)
        for column, word in zip(columns, _numbers(row, columns), strict=True)
    }
    scores = {pair: _score(word) for pair, word in words.items()}
    _check_symmetric(words, scores)
    missing = [letter for letter in LETTERS[:RESIDUES] if letter not in columns]
    if missing:
        raise MatrixFormatError(f"no scores for {' '.join(missing)}: the twenty residues have to be there")
    matrix = own_matrix(_filled(scores, columns))
    try:
        lambda_ = WithoutGaps.of(matrix.scores).lambda_
    except ScoringError as error:
        raise MatrixFormatError(str(error)) from None
    _check_others(matrix)
    if lambda_ < LEAST_LAMBDA:
        raise MatrixFormatError(
            f"lambda of these scores is {lambda_:.3g}, and has to be {LEAST_LAMBDA} or more: take a larger unit, in "
            f"which scores are a {math.ceil(LEAST_LAMBDA / lambda_)}th of these"
        )
    return rows_of(matrix)


def rows_of(matrix: Matrix) -> Rows:
    """A matrix's scores as they are written down."""
    return tuple(map(tuple, matrix.scores.tolist()))


def write_matrix(rows: Rows) -> str:
    """The text that read_matrix makes the same scores of."""
    lines = [[" ", *LETTERS], *([letter, *map(str, row)] for letter, row in zip(LETTERS, rows, strict=True))]
    return "".join("".join((line[0], *(f"{word:>5}" for word in line[1:]))) + "\n" for line in lines)


def _lines(text: str) -> tuple[list[_Word], list[list[_Word]]]:
    """The words of the first line, and of each row; blank lines and comments aside.

    No more of them are looked at than tell that there are too many: who sends text may send any.
    """
    numbered = enumerate(text.removeprefix("\ufeff").splitlines(), start=1)
    filled = (words for number, line in numbered if (words := list(islice(_words(line, number), MOST_WORDS))))
    header, *rows = [*islice(filled, MOST_WORDS)] or [[]]
    if not header:
        raise MatrixFormatError("no matrix: its letters stand in the first line, and before each row of scores")
    if len(rows) + 1 == MOST_WORDS:
        raise rows[-1][0].refused("there are too many rows: a matrix has one for each letter")
    return header, rows


def _words(line: str, number: int) -> Iterator[_Word]:
    if not line.lstrip().startswith("#"):
        for found in _WORD.finditer(line):
            yield _Word(found.group(), number, found.start() + 1)


def _letter(word: _Word) -> str:
    """The letter that a column or a row is named by."""
    letter = word.text.upper()
    # A letter that is not ASCII may have one in upper case.
    if not word.text.isascii() or len(letter) != 1 or letter not in LETTERS + UNUSED:
        raise word.refused(f"a column and a row are named by one letter of {LETTERS}")
    return letter


def _check_once(words: Sequence[_Word], letters: Sequence[str]) -> None:
    for place, (word, letter) in enumerate(zip(words, letters, strict=True)):
        if letter in letters[:place]:
            raise word.refused(f"{letter} comes twice, first in line {words[letters.index(letter)].line}")


def _numbers(row: list[_Word], columns: Sequence[str]) -> list[_Word]:
    """The words of a row after its letter, as many as there are columns."""
    first, *numbers = row
    if len(numbers) != len(columns):
        odd = numbers[len(columns)] if len(numbers) > len(columns) else first
        raise odd.refused(
            f"row {first.text.upper()} has {plural(len(numbers), 'score')} for {plural(len(columns), 'column')}"
        )
    return numbers


def _score(word: _Word) -> int:
    number = _NUMBER.fullmatch(word.text)
    if number is None:
        raise word.refused("a score is a whole number: decimals have to be multiplied, the gap costs too, and rounded")
    score = int(number[1])
    if abs(score) > MOST_OWN:
        raise word.refused(f"a score is further from 0 than {MOST_OWN}, which is the most that all engines hold")
    return score


def _check_others(matrix: Matrix) -> None:
    """What is no residue may not raise scores wherever it stands."""
    often = residue_counts()
    for code, letter in enumerate(LETTERS[RESIDUES:], start=RESIDUES):
        if sum(count * score for count, score in zip(often, matrix.scores[code].tolist(), strict=False)) > 0:
            raise MatrixFormatError(f"{letter} scores above 0 on average against residues, and has to score 0 or less")
    if matrix.scores[X_CODE, X_CODE] > 0:
        raise MatrixFormatError("X scores above 0 against X, and has to score 0 or less: it may be any residue")


def _check_symmetric(words: Mapping[tuple[str, str], _Word], scores: _Scores) -> None:
    for (one, other), word in words.items():
        if scores[one, other] != scores[other, one]:
            there = words[other, one]
            raise word.refused(
                f"{one} scores {scores[one, other]} against {other}, and {other} scores {scores[other, one]} against "
                f"{one} (line {there.line}, column {there.column}): a matrix has to be symmetric"
            )


def _filled(scores: _Scores, given: Sequence[str]) -> Rows:
    """All rows; a letter that is not given scores the mean of what it stands for, by how often that is in proteins.

    The mean is rounded to the nearest whole number, a half down. A stop that is not given scores the least of all
    scores against every letter, and STOP_STOP against itself.
    """
    often = dict(zip(LETTERS, residue_counts(), strict=False))
    stands = {
        letter: {letter: 1} if letter in given else {each: often[each] for each in AMBIGUOUS[letter]}
        for letter in LETTERS
        if letter in given or letter in AMBIGUOUS
    }

    def mean(one: str, other: str) -> int:
        weighted = {(a, b): x * y for a, x in stands[one].items() for b, y in stands[other].items()}
        total = sum(weighted.values())
        # -(-x // y) rounds up: of x less a half, that is the nearest whole number.
        return -((total - 2 * sum(weight * scores[pair] for pair, weight in weighted.items())) // (2 * total))

    found = {(one, other): mean(one, other) for one in stands for other in stands}
    if STOP not in given:
        least = min(found.values())
        found.update({pair: least for letter in stands for pair in ((letter, STOP), (STOP, letter))})
        found[STOP, STOP] = STOP_STOP
    return tuple(tuple(found[one, other] for other in LETTERS) for one in LETTERS)
