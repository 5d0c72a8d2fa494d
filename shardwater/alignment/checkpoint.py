"""How far a long alignment is, saved so that whoever makes it again goes on from there."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from shardwater.alignment.sweep import Row, Sweep

Arrays = Mapping[str, npt.NDArray[Any]]


class Checkpoint(Protocol):
    """What was saved of one alignment; nobody else's is ever given."""

    @property
    def arrays(self) -> Arrays:
        """What was saved, by name; nothing of an alignment that begins."""
        ...

    @property
    def due(self) -> bool:
        """Whether it is time to save something again."""
        ...

    def save(self, arrays: Arrays) -> None:
        """Save these in place of what was saved, but for single numbers of other names."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """How far gotoh.py is with one subject: down through all rows, or on the way back.

    kept: rows that stay, from the first one on; last: the row reached on the way down, which is not one of them, or
    None on the way back; best: the best score so far and its row; path: the way back, by its numbers and its runs.
    """

    kept: list[Row]
    last: Row | None
    best: tuple[int, int]
    path: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None

    @property
    def arrays(self) -> Arrays:
        """As arrays."""
        rows = [*self.kept, *([] if self.last is None else [self.last])]
        path, runs = self.path or (np.zeros(0, np.int64), np.zeros((0, 2), np.int64))
        numbers = {"index": np.array([row.index for row in rows]), "best": np.array(self.best)}
        cells = {name: np.stack([getattr(row, name) for row in rows]) for name in ("h", "e")}
        return {**numbers, **cells, "path": path, "runs": runs}

    @classmethod
    def read(cls, arrays: Arrays, sweep: Sweep) -> Self | None:
        """What `arrays` was; None where there is nothing, or where it is of another matrix."""
        if not {"index", "h", "e", "best", "path", "runs"} <= arrays.keys():
            return None
        index, h, e = (arrays[field.name] for field in fields(Row))
        top = sweep.first_row()
        if h.shape[1:] != top.h.shape or h.dtype != top.h.dtype or index[-1] > len(sweep.query):
            return None
        rows = [Row(int(number), *cells) for number, *cells in zip(index, h, e, strict=True)]
        score, row = arrays["best"].tolist()
        if arrays["path"].size:
            return cls(rows, None, (score, row), (arrays["path"], arrays["runs"]))
        return cls(rows[:-1], rows[-1], (score, row), None)


def copied(row: Row) -> Row:
    """A row that the next ones do not overwrite."""
    return Row(row.index, row.h.copy(), row.e.copy())
