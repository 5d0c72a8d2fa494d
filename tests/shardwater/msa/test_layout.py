import pytest

from shardwater.msa import layout
from shardwater.msa.layout import Layout
from tests.support.msas import MSA, of_rows


def test_the_longest_insertion_makes_room_for_all():
    laid = Layout.of(MSA)
    assert laid.width == 13
    assert laid.query(MSA) == b"MKT--AY-IAKQR"
    assert list(laid.rows(MSA)) == [
        b"MKT--AY-IAKQR",
        b"-KSWWAY--AR--",
        b"MKU--BYCIX---",
        b"MKTW-A-------",
    ]
    assert laid.matches.sum() == 10


def test_insertions_may_come_before_and_behind_all_columns():
    msa = of_rows("MKT", "abM-Tc", "-dKTefg", "---")
    laid = Layout.of(msa)
    assert laid.query(msa) == b"--M-KT---"
    assert list(laid.rows(msa)) == [b"ABM--TC--", b"---DKTEFG", b"---------"]


def test_rows_are_the_same_however_many_are_laid_out_together(monkeypatch):
    laid = Layout.of(MSA)
    expected = list(laid.rows(MSA))
    monkeypatch.setattr(layout, "CELLS", 1)
    assert list(laid.rows(MSA)) == expected


@pytest.mark.parametrize("rows", [(), ("---",)])
def test_without_insertions_there_are_the_querys_columns(rows):
    msa = of_rows("MKT", *rows)
    laid = Layout.of(msa)
    assert (laid.width, laid.places.tolist()) == (3, [0, 1, 2])
    assert list(laid.rows(msa)) == [row.encode() for row in rows]
