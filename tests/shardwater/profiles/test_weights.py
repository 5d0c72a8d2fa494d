import numpy as np
import pytest

from shardwater.profiles.weights import observe
from shardwater.statistics.background import background
from tests.support.stacks import rows_of

A, R, N = 0, 1, 2


def test_a_query_alone_is_what_is_seen():
    observed = observe(rows_of("ARN"))
    assert observed.frequencies[:, :3].tolist() == np.eye(3).tolist()
    assert observed.independent.tolist() == [1, 1, 1]


def test_weights_are_those_of_henikoff_and_henikoff():
    # Columns A A R: a letter that two have weighs 1/(2 x 2) for each, one that one has 1/(2 x 1).
    observed = observe(rows_of("AA", "AA", "RR"))
    assert observed.frequencies[0, [A, R]].tolist() == pytest.approx([0.5, 0.5])
    assert observed.independent.tolist() == [2, 2]
    # The first column is the same for all, and is counted: 1/3 each, then 1/4, 1/4, 1/2.
    observed = observe(rows_of("NA", "NA", "NR"))
    assert observed.frequencies[1, [A, R]].tolist() == pytest.approx([7 / 12, 5 / 12])
    assert observed.independent.tolist() == [1.5, 1.5]


def test_a_position_goes_by_those_that_are_there():
    observed = observe(rows_of("ARNA", "..RR", "NR.."))
    # Of the first and second position two rows have all of these; of the others two, too.
    assert observed.frequencies[0, [A, N]].tolist() == pytest.approx([0.5, 0.5])
    assert observed.frequencies[2, [N, R]].tolist() == pytest.approx([0.5, 0.5])
    assert observed.independent.tolist() == [1.5, 1.5, 2, 2]


def test_gaps_and_ambiguous_letters_are_spread_as_the_background():
    observed = observe(rows_of("AA", "-X"))
    wanted = 0.5 * background()
    wanted[A] += 0.5
    for row in observed.frequencies:
        assert row.tolist() == pytest.approx(wanted.tolist())
    assert observed.independent.tolist() == [2, 2]


def test_frequencies_add_up():
    rng = np.random.default_rng(1)
    rows = []
    for _ in range(40):
        first, last = sorted(rng.choice(31, 2, replace=False))
        letters = "".join(rng.choice(list("ARNDCQEGHILKMFPSTWYVX-"), last - first))
        rows.append("." * first + letters + "." * (30 - last))
    observed = observe(rows_of("ARNDCQEGHILKMFPSTWYVARNDCQEGHI", *rows))
    assert observed.frequencies.sum(axis=1) == pytest.approx(np.ones(30))
    assert (observed.independent >= 1).all()
