"""Tables of scores for DNA as text: NCBI's form, with letters in the first line and before each row."""

import re

from shardwater.errors import ScoringError
from shardwater.scoring.table import Table, bases_table
from shardwater.sequences.alphabets import BASES, DNA

_NUMBER = re.compile(r"-?[0-9]{1,18}")
_SHAPE = f"a table for DNA has the letters {' '.join(BASES)} in its first line, or all of {' '.join(DNA.letters)}"


def read_table(text: str) -> Table:
    """The table that a text holds, its letters in any order; `#` begins a comment. Raises ScoringError."""
    lines = [line.upper().split() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    header, *rows = _without_u(lines or [[]])
    columns = [letter.replace("U", "T") for letter in header]
    if sorted(columns) not in (sorted(BASES), sorted(DNA.letters)):
        raise ScoringError(_SHAPE)
    scores = {row[0].replace("U", "T"): _scores(row, columns) for row in rows}
    if len(rows) != len(columns) or set(scores) != set(columns):
        raise ScoringError("a table has one row for each of its letters, which begins with it")
    letters = BASES if len(columns) == len(BASES) else DNA.letters
    return bases_table([[scores[one][other] for other in letters] for one in letters])


def _without_u(lines: list[list[str]]) -> list[list[str]]:
    """The lines of a table, U left out where it stands beside T: EMBOSS's tables have both."""
    header = lines[0]
    if "U" not in header or "T" not in header:
        return lines
    place = header.index("U")
    rows = [row[: place + 1] + row[place + 2 :] for row in lines[1:] if row[0] != "U"]
    return [header[:place] + header[place + 1 :], *rows]


def _scores(row: list[str], columns: list[str]) -> dict[str, int]:
    letter, *numbers = row
    if len(numbers) != len(columns) or not all(map(_NUMBER.fullmatch, numbers)):
        raise ScoringError(f"row {letter} of a table has {len(columns)} whole numbers after its letter")
    return dict(zip(columns, map(int, numbers), strict=True))
