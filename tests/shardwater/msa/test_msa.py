from dataclasses import replace

import numpy as np

from shardwater.msa.msa import capitals
from shardwater.msa.texts import Texts
from tests.support.msas import MEMBERS, MSA, ROWS, family, of_rows, rows_of


def test_rows_have_all_columns_in_a3m():
    assert rows_of(MSA) == list(ROWS)


def test_a_row_says_what_is_known_of_it():
    row = MSA.row(1)
    assert (row.name, row.title, row.length, row.score, row.taxid) == ("P2", "", 99, 50, 10090)
    assert (row.query_start, row.query_end, row.subject_start, row.subject_end) == (1, 8, 10, 18)
    assert (row.columns, row.identical, row.gaps, row.gap_opens) == (9, 4, 3, 2)
    assert (row.bits, row.evalue, row.identity) == (7.5, 0.25, 4 / 9)


def test_what_is_not_known_is_none():
    row = MSA.row(2)
    assert row.bits is None
    assert row.evalue is None
    assert row.taxid == 0
    assert (row.name, row.title) == ("P3", "gamma\tchain")


def test_letters_of_columns_leave_out_insertions():
    assert [bytes(row) for row in MSA.aligned(0, 4)] == [
        b"MKTAYIAKQR",
        b"-KSAY-AR--",
        b"MKUBYIX---",
        b"MKTA------",
    ]
    assert [bytes(row) for row in MSA.aligned(1, 3)] == [b"-KSAY-AR--", b"MKUBYIX---"]
    assert MSA.aligned(2, 2).shape == (0, 10)


def test_insertions_before_and_behind_all_columns_are_none_of_them():
    msa = of_rows("MKT", "abM-Tcd", "-abKT", "---")
    assert [bytes(row) for row in msa.aligned(0, 3)] == [b"M-T", b"-KT", b"---"]
    assert rows_of(msa) == [b"abM-Tcd", b"-abKT", b"---"]


def test_rows_are_taken_by_number():
    taken = MSA.take([3, -1, 0])
    assert rows_of(taken) == [ROWS[3], b"-" * 10, ROWS[0]]
    assert [row.name for row in taken] == ["P2", "", "sp|P1|A_HUMAN"]
    assert taken.row(1).subject_end == 0
    assert (taken.provenance, taken.organisms) == (MSA.provenance, MSA.organisms)


def test_the_best_rows_are_the_first_and_are_no_copy():
    best = replace(MSA, representatives=Texts.of([b"a", b"", b"b", b""])).first(3)
    assert (rows_of(best), len(best.headers), len(best.letters)) == (list(ROWS[:3]), 3, 3)
    assert [row.representative for row in best] == ["a", "", "b"]
    assert len(best.letters.joined) == best.letters.offsets[-1]
    assert np.shares_memory(best.letters.joined, MSA.letters.joined)
    assert rows_of(MSA.first(5)) == list(ROWS)


def test_batches_hold_so_many_letters():
    assert list(MSA.batches(cells=25)) == [(0, 2), (2, 4)]
    assert list(MSA.batches(cells=1)) == [(0, 1), (1, 2), (2, 3), (3, 4)]
    msa = family(50)
    halves = [msa.aligned(first, last) for first, last in msa.batches(cells=25 * msa.columns)]
    assert len(halves) == 2
    assert np.array_equal(np.concatenate(halves), msa.aligned(0, 50))


def test_letters_are_capitals_and_anything_else_is_x():
    assert capitals(b"acU*-J\xff") == b"ACUXXJX"


def test_headers_are_kept_as_they_are():
    assert [row.header for row in MSA] == [each.header for each in MEMBERS]
