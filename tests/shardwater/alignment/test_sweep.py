"""Rows of the matrix by prefix maxima: the published row and pair, and every value against the plain recurrence.

Source of both: Khajeh-Saeed, Poole and Perot, J. Comput. Phys. 229 (2010).
"""

import numpy as np
import pytest

from shardwater.alignment.ends import Selection, best_ends
from shardwater.alignment.gotoh import align_ends
from shardwater.alignment.scheme import Mode, Scheme
from shardwater.alignment.sweep import Sweep
from shardwater.scoring.table import match_table
from shardwater.sequences.alphabets import DNA
from tests.support.pair_oracle import table
from tests.support.schemes import MODES

SCHEME = Scheme(match_table(5, -3), 8, 1)
QUERY, SUBJECT = DNA.encode(b"AAUGCCAUUGCCGG"), DNA.encode(b"CAGCCUCGCUUAG")


def test_the_published_row() -> None:
    without_gaps = np.array([0, 5, 2, 0, 5, 15, 2, 5, 2, 5, 7, 0, 0, 0], np.int16)[:, None]
    sweep, row = Sweep(QUERY, [SUBJECT], SCHEME), np.empty((14, 1), np.int16)
    sweep._close_gaps(without_gaps, row, sweep.longest)
    assert row[:, 0].tolist() == [0, 5, 2, 0, 5, 15, 6, 5, 4, 5, 7, 1, 0, 0]


def test_the_published_pair() -> None:
    ends = best_ends(QUERY, SUBJECT, SCHEME, Selection(4))
    assert ends == [(18, 11, 9), (15, 6, 5), (15, 12, 5), (15, 12, 10)]
    [best] = align_ends(QUERY, SUBJECT, SCHEME, ends[:1])
    assert (best.query_start, best.subject_start) == (3, 2)
    assert [(run.kind, run.length) for run in best.runs] == [("M", 3), ("I", 1), ("M", 4)]


@pytest.mark.parametrize("mode", [Mode.LOCAL, Mode.GLOBAL, MODES[5]], ids=str)
@pytest.mark.parametrize("gap_extend", [1, 2, 3])
@pytest.mark.parametrize("gap_open", range(10))
def test_every_value_equals_the_plain_recurrence(gap_open: int, gap_extend: int, mode: Mode) -> None:
    rng = np.random.default_rng(10 * gap_open + gap_extend)
    query, subject = rng.integers(0, 4, 40, np.uint8), rng.integers(0, 4, 60, np.uint8)
    scheme = Scheme(match_table(5, -3), gap_open, gap_extend, mode)
    sweep = Sweep(query, [subject], scheme)
    top = sweep.first_row()
    rows = [top.h[:, 0].tolist(), *(row.h[:, 0].tolist() for row in sweep.rows(top))]
    assert rows == table(query.tolist(), subject.tolist(), scheme)
