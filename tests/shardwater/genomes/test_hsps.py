"""HSPs in rows: what follows from them, and their bytes."""

import numpy as np
import pytest

from shardwater.genomes.hsps import ROW, Hsps, UnreadableHsps

TWO = Hsps(np.array([(10, 30, 100, 90, False), (10, 30, 100, 75, True)], ROW))


def test_score_identity_and_diagonal_follow_from_the_columns() -> None:
    assert TWO.score.tolist() == [4 * (90 - 10), 4 * (75 - 25)]
    assert TWO.identity.tolist() == [90.0, 75.0]
    # Reverse, the query's first letter is paired with the subject's last.
    assert TWO.diagonal.tolist() == [20, 10 + 130]


def test_columns_make_hsps_of_a_strand() -> None:
    columns = [np.array(each) for each in ([10], [30], [100], [75])]
    assert Hsps.of(columns[0], columns[1], columns[2], columns[3], True).rows.tolist() == TWO[1:].rows.tolist()


def test_hsps_are_chosen_and_joined() -> None:
    assert Hsps.joined([TWO[1:], TWO[TWO.reverse], TWO[np.array([0])]]).matches.tolist() == [75, 75, 90]
    assert len(Hsps.joined([])) == 0


def test_bytes_are_17_a_row_little_endian_and_read_back() -> None:
    packed = TWO.pack()
    assert packed == b"".join(
        b"".join(number.to_bytes(4, "little") for number in row[:4]) + bytes([row[4]]) for row in TWO.rows.tolist()
    )
    assert len(packed) == 34
    assert Hsps.read(packed).rows.tolist() == TWO.rows.tolist()
    assert len(Hsps.read(b"")) == 0


def test_bytes_of_another_size_are_refused() -> None:
    with pytest.raises(UnreadableHsps, match="whole rows"):
        Hsps.read(TWO.pack()[:-1])
