import numpy as np
import pytest

from shardwater.profiles import weights
from shardwater.profiles.weights import observe
from shardwater.statistics.background import RESIDUES, background
from tests.support.stacks import rows_of

A, R, N = 0, 1, 2
EVERY = "ARNDCQEGHILKMFPSTWYV"


def test_a_query_alone_is_what_is_seen():
    observed = observe(rows_of("ARN"))
    assert observed.frequencies[:, :3].tolist() == np.eye(3).tolist()
    assert (observed.observations.tolist(), observed.matches.tolist()) == ([0, 0, 0], [0, 0, 0])


def test_weights_are_those_of_henikoff_and_henikoff():
    # Columns A A R: a letter that two have weighs 1/(2 x 2) for each, one that one has 1/(2 x 1).
    observed = observe(rows_of("AA", "AA", "RR"))
    assert observed.frequencies[0, [A, R]].tolist() == pytest.approx([0.5, 0.5])
    # The first column is the same for all, and is counted: 1/3 each, then 1/4, 1/4, 1/2.
    observed = observe(rows_of("NA", "NA", "NR"))
    assert observed.frequencies[1, [A, R]].tolist() == pytest.approx([7 / 12, 5 / 12])


def test_a_position_goes_by_those_that_are_there():
    observed = observe(rows_of("ARNA", "..RR", "NR.."))
    # Of the first and second position two rows have all of these; of the others two, too.
    assert observed.frequencies[0, [A, N]].tolist() == pytest.approx([0.5, 0.5])
    assert observed.frequencies[2, [N, R]].tolist() == pytest.approx([0.5, 0.5])


def test_rows_that_begin_together_and_end_apart_are_not_counted_behind_their_ends():
    observed = observe(rows_of("ARNARN", "ARN...", "ARNAR.", "RRR..."))
    assert observed.matches.tolist() == pytest.approx([2 / 3] * 3 + [0] * 3)
    assert observed.frequencies[3:, :3].tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("together", [1, 50, weights.TOGETHER])
def test_frequencies_and_matches_are_those_of_the_rule_written_plainly(together, monkeypatch):
    monkeypatch.setattr(weights, "TOGETHER", together)
    rng = np.random.default_rng(together)
    for length in (1, 7, 40):
        rows = ["".join(rng.choice(list(EVERY), length))]
        for _ in range(25):
            first = int(rng.choice([0, length // 3, length // 2]))
            letters = "".join(rng.choice(list(EVERY[:4]), int(rng.integers(1, length - first + 1))))
            rows.append(("." * first + letters).ljust(length, "."))
        observed = observe(rows_of(*rows))
        for position in range(length):
            frequencies, matches = plainly(rows, position)
            assert observed.frequencies[position].tolist() == pytest.approx(frequencies)
            assert observed.matches[position] == pytest.approx(matches)


def plainly(rows, position):
    """The frequencies and matches of a position of rows without gaps."""
    here = [row for row in rows if row[position] != "."]
    columns = [column for column in zip(*here, strict=True) if "." not in column]
    different = [len(set(column)) for column in columns]
    worth = [1.0] * len(here)
    if max(different) > 1:
        worth = [
            sum(1 / (column.count(column[number]) * kinds) for column, kinds in zip(columns, different, strict=True))
            for number in range(len(here))
        ]
    seen = [sum(each for each, row in zip(worth, here, strict=True) if row[position] == letter) for letter in EVERY]
    return [each / sum(seen) for each in seen], sum(different) / len(columns) - 1


def test_observations_are_as_many_as_random_residues_that_are_as_different():
    often = background()
    for number in (2, 5, 40):
        expected = RESIDUES - ((1 - often) ** number).sum()
        # Half of the columns have as many different residues as one less or more would; the other half does not count.
        low, high = int(expected), int(expected) + 1
        columns = np.zeros((40, 60), int)
        for column in range(20):
            different = high if column < round(20 * (expected - low)) else low
            columns[column] = np.arange(60) % different
        rows = ["".join(EVERY[code] for code in row) for row in columns.T]
        assert observe(rows_of(*rows)).observations[0] == pytest.approx(number - 1, rel=0.1)


def test_observations_are_no_more_than_there_are_sequences():
    assert observe(rows_of(EVERY, EVERY[::-1])).observations.tolist() == pytest.approx([1] * 20, abs=0.1)
    rows = [EVERY[number:] + EVERY[:number] for number in range(20)]
    assert observe(rows_of(*rows)).observations.tolist() == [19] * 20


def test_matches_are_other_letters_of_the_columns_and_fewer_where_gaps_are():
    # Columns with 1, 2 and 3 different letters, the gap being one: 2 on average, 1 beside the query's own. The third
    # row weighs 1/3, 1/2 and 1/3, the others 1/3, 1/4 and 1/3.
    observed = observe(rows_of("AAA", "AA-", "ARR"))
    share = (1 / 3 + 1 / 4 + 1 / 3) / 3
    assert observed.matches.tolist() == pytest.approx([1, 1, 1 - share])


def test_gaps_and_ambiguous_letters_say_nothing():
    observed = observe(rows_of("AAX", "-XX", "R--"))
    assert observed.frequencies[1].tolist() == np.eye(20)[A].tolist()
    assert observed.frequencies[0, [A, R]].sum() == pytest.approx(1)
    assert observed.frequencies[2].tolist() == background().tolist()


def test_frequencies_add_up():
    rng = np.random.default_rng(1)
    rows = []
    for _ in range(40):
        first, last = sorted(rng.choice(31, 2, replace=False))
        letters = "".join(rng.choice(list("ARNDCQEGHILKMFPSTWYVX-"), last - first))
        rows.append("." * first + letters + "." * (30 - last))
    observed = observe(rows_of("ARNDCQEGHILKMFPSTWYVARNDCQEGHI", *rows))
    assert observed.frequencies.sum(axis=1) == pytest.approx(np.ones(30))
    assert (observed.observations >= 0).all()
