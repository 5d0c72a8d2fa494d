"""Stacks of aligned sequences as text: residues, `-` for a gap, `.` for what is not aligned."""

import numpy as np

from shardwater.profiles.stack import Stack

SPELLED = "ARNDCQEGHILKMFPSTWYVBZX*-."


def rows_of(*texts: str) -> Stack:
    """The stack of these rows, the query first."""
    return Stack(np.array([[SPELLED.index(letter) for letter in text] for text in texts], np.uint8))


def shown(stack: Stack) -> list[str]:
    """Its rows as text."""
    return ["".join(SPELLED[code] for code in row) for row in stack.rows]
