"""The way back of a long pair of which not all can be kept at a time.

Its rows are cut into sections. While it is scored, all strips are stored at the beginning of each (fill_long.cu). Then
the sections that the way crosses, the last first, are filled again from there, as far to the right as the way is in
them, and what is kept of one serves to walk through it. So few cells are computed more than twice.
"""

from collections.abc import Generator

import numpy as np

from gpu.layout import FOUND_WORDS, KEPT_COLUMNS
from gpu.pairs.filling import Filling
from gpu.pairs.section_rows import Sections
from gpu.pairs.tile_rows import STAGE, TileRows, Words
from gpu.pairs.ways import Ways
from shardwater.pairs.columns import joined_runs

_, QUERY_START, _, SUBJECT_START, _, FIRST_RUN, LAST_RUN = range(7)
"""Words of Found of kernels/pairs/walk.cuh."""


class SectionedWay:
    """The way back of a pair that was scored, and what is found by it: its row of Found, and its runs."""

    def __init__(self, filling: Filling, sections: Sections, ways: Ways, letters: int, end: Words) -> None:
        """letters: of both sequences; end: FirstEnd of kernels/pairs/ends.cuh."""
        self._filling, self._sections, self._ways, self._letters = filling, sections, ways, letters
        self._end = end
        self.row, self.runs = np.zeros((1, FOUND_WORDS), np.int32), np.zeros(0, np.int32)

    def walk(self) -> Generator[float, None, None]:
        """Walk it; between launches, the share that each one was of all, at most."""
        filling, sections, room = self._filling, self._sections, self._filling.section_room()
        _, row, column = self._end.tolist()
        # Where an alignment ends before the first letters, any section tells so. Its column is that of a place.
        number, column = sections.of(max(0, row)), max(0, column) + KEPT_COLUMNS
        begin, parts, rows = np.zeros(1, STAGE), list[Words](), number + 1
        while not begin["ended"][0]:
            section = filling.section(number, column, room)
            for share in filling.run(section):
                yield share * float(section.strips[0] / filling.whole.strips[0]) / rows
            stop = sections.first_row(number)
            walked = TileRows(filling, section, self._ways, self._letters, self._end).walk(begin, row, column, stop)
            if not parts:
                self.row[0] = walked.found[0]
            self.row[0, [QUERY_START, SUBJECT_START]] = walked.found[1][[QUERY_START, SUBJECT_START]]
            parts.append(walked.runs)
            begin = walked.stage
            column, row = int(begin["column"][0]), int(begin["row"][0])
            number = sections.of(max(0, row))
        self.runs = joined_runs(parts[::-1])
        self.row[0, [FIRST_RUN, LAST_RUN]] = 0, len(self.runs)
