"""What columns show, against the same letter by letter, however the columns are cut."""

import random
import re

import pytest

from shardwater.formats.genomes.replayed import aligned_rows, cigars
from tests.support.genome_lists import GAPPED, QUERY, SUBJECT, UNGAPPED, Row, letters, listed


def random_rows(count: int) -> list[Row]:
    """Alignments that begin anywhere, and end with a run of any kind."""
    known, rows = random.Random(2), []
    while len(rows) < count:
        runs = [(known.randint(1, 6), kind) for kind in ["M", *known.choices("MMMID", k=known.randint(0, 5))]]
        query_letters = sum(length for length, kind in runs if kind != "D")
        subject_letters = sum(length for length, kind in runs if kind != "I")
        query, subject = known.choice(QUERY.names), known.choice(SUBJECT.names)
        free = len(letters(QUERY, query)) - query_letters, len(letters(SUBJECT, subject)) - subject_letters
        if min(free) >= 0:
            at, begin = (known.randint(0, each) for each in free)
            text = "".join(f"{length}{kind}" for length, kind in runs)
            ends = at + query_letters, begin + subject_letters
            rows.append(Row(query, at, ends[0], subject, begin, ends[1], known.choice("+-"), text))
    return rows


@pytest.mark.parametrize("at_once", [1, 2, 7, 1 << 17])
def test_cigars_do_not_depend_on_where_columns_are_cut(at_once: int) -> None:
    rows = [*UNGAPPED, *GAPPED, *random_rows(200)]
    shown = listed(rows)
    assert cigars(shown, shown.alignments, at_once) == [row.cigar.encode() for row in rows]


def test_rows_show_the_letters_as_they_were_written() -> None:
    rows = random_rows(100)
    shown = listed(rows)
    query, subject = aligned_rows(shown, shown.alignments)
    assert [*zip(query, subject, strict=True)] == [tuple(text.encode() for text in row.texts) for row in rows]
    # The letters' case is kept.
    assert any(re.search(rb"[acgtn]", row) for row in query)


def test_blocks_hold_all_rows_whatever_their_columns() -> None:
    shown = listed(GAPPED)
    blocks = [[some.column("score").tolist(), len(some.runs)] for some in shown.blocks(48)]
    assert blocks == [[[88], 1], [[80, 0], 12]]
    assert [len(some) for some in shown.blocks(1)] == [1, 1, 1]
    assert [len(some) for some in shown.blocks()] == [3]
