import shutil
import subprocess
from itertools import pairwise

import numpy as np
import pytest

from shardwater.formats.msas.a3m import read_a3m, write_a3m
from shardwater.msa import filtering
from shardwater.msa.filtering import BLOCK, Rule, filtered
from tests.support.msas import family, of_rows, rows_of

ALWAYS = Rule(least_score=-20.0, enough_for_score=0, enough=0)
QUERY = "ACDEFGHIKLMNPQRSTVWYACDEFGHIKLMNPQRSTVWY"


def names(msa):
    return [row.name for row in msa]


def changed(places, text=QUERY):
    """The text with another letter at so many places, counted from its begin."""
    return "".join(("A" if letter != "A" else "G") if place < places else letter for place, letter in enumerate(text))


def identities(msa):
    """Of each pair of rows, the share of equal letters among those of the shorter one; the query is the first."""
    letters = np.vstack([np.frombuffer(msa.query.residues, np.uint8), msa.aligned(0, len(msa))])
    sizes = (letters != ord("-")).sum(axis=1)
    equal = np.array([((letters == each) & (each != ord("-"))).sum(axis=1) for each in letters])
    return equal / np.minimum.outer(sizes, sizes)


def test_rows_too_much_like_the_query_or_a_longer_one_go():
    rows = (QUERY, changed(1), changed(20), changed(20)[:30] + "-" * 10, changed(20)[::-1], changed(10))
    assert names(filtered(of_rows(QUERY, *rows), ALWAYS)) == ["r3", "r5", "r6"]


def test_exactly_as_identical_as_allowed_is_kept():
    rule = Rule(least_score=-20.0, enough_for_score=0, enough=0, most_identical=0.75)
    assert names(filtered(of_rows(QUERY, changed(10), changed(9)), rule)) == ["r1"]


def test_rows_may_be_asked_to_have_nothing_in_common():
    rule = Rule(least_score=-20.0, enough_for_score=0, enough=0, most_identical=0.0)
    assert names(filtered(of_rows("ACDE", "WWWW", "WYYY", "YYYY", "A---"), rule)) == ["r1", "r3"]


def test_of_rows_alike_the_one_with_more_letters_stays_then_the_better():
    other = changed(22)
    alike = of_rows(QUERY, "-" + other[1:], other, other[:39] + "-", other)
    assert names(filtered(alike, ALWAYS)) == ["r2"]


def test_two_rows_that_hardly_overlap_are_not_alike():
    first, second = changed(40)[:22] + "-" * 18, "-" * 20 + changed(40)[20:]
    assert names(filtered(of_rows(QUERY, first, second), ALWAYS)) == ["r1", "r2"]


def test_letters_that_score_badly_against_the_query_go_where_there_are_enough_rows():
    # W against W scores 11, against A -3: of four columns, three or two of them.
    msa = of_rows("WWWW", "WWWA", "WAAA", "WW--", "W-AA", "----")
    rule = Rule(least_score=2.0, enough_for_score=5, enough=1000)
    assert names(filtered(msa, rule)) == ["r1", "r3"]
    assert filtered(msa, Rule(least_score=2.0, enough_for_score=6)) is msa


def test_few_rows_are_left_alone():
    msa = of_rows(QUERY, QUERY, QUERY)
    assert filtered(msa, Rule(enough=3)) is msa
    assert len(filtered(msa, Rule(enough=2))) == 0
    assert len(filtered(of_rows(QUERY), ALWAYS)) == 0


def test_each_bin_keeps_its_own_most_diverse_rows():
    msa = family(400)
    bins = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    kept = filtered(msa, Rule(least_score=-20.0, enough_for_score=0, enough=0, diverse=10, bins=bins))
    to_query = identities(msa)[0, 1:]
    for low, high in pairwise(bins):
        rows = {f"r{number + 1}" for number in np.flatnonzero((to_query > low) & (to_query <= high))}
        count = len(rows & set(names(kept)))
        assert count == len(rows) if len(rows) <= 10 else count >= 10
    assert len(kept) < 200


@pytest.mark.parametrize("diverse", [5, 20, 3000])
@pytest.mark.parametrize("seed", [1, 2])
def test_doing_it_again_changes_nothing(diverse, seed):
    rule = Rule(enough_for_score=0, enough=0, diverse=diverse)
    once = filtered(family(300, seed=seed), rule)
    assert 0 < len(once) < 300
    assert names(filtered(once, rule)) == names(once)


@pytest.mark.parametrize("bins", [(0.0, 1.0), (0.0, 0.2, 0.3, 0.4, 0.5, 1.0)])
def test_what_is_kept_is_in_its_order_and_no_two_rows_are_too_much_alike(bins):
    msa = family(300)
    rule = Rule(least_score=-20.0, enough_for_score=0, enough=0, most_identical=0.6, bins=bins)
    kept = filtered(msa, rule)
    assert names(kept) == [name for name in names(msa) if name in set(names(kept))]
    alike = identities(kept)
    np.fill_diagonal(alike, 0)
    assert alike.max() <= 0.6
    # Whoever is missing is too much like one that is there.
    everyone = identities(msa)
    there = [0, *(int(name[1:]) for name in names(kept))]
    gone = sorted(set(range(301)) - set(there))
    assert (everyone[np.ix_(gone, there)].max(axis=1) > 0.6).all()


@pytest.mark.parametrize("diverse", [3, 30])
def test_each_block_of_columns_keeps_so_many_rows_or_all_that_differ(diverse):
    msa = family(300, columns=170)
    both = {"least_score": -20.0, "enough_for_score": 0, "enough": 0, "bins": (0.0, 1.0)}
    some, all_that_differ = (filtered(msa, Rule(diverse=each, **both)) for each in (diverse, 3000))

    def in_blocks(rows):
        there = rows.aligned(0, len(rows)) != ord("-")
        return np.array([there[:, at : at + BLOCK].any(axis=1).sum() for at in range(0, 170, BLOCK)])

    assert (in_blocks(some) >= np.minimum(diverse, in_blocks(all_that_differ))).all()
    assert len(some) < len(all_that_differ)


def test_fewer_rows_are_more_diverse():
    msa = family(300)
    both = {"least_score": -20.0, "enough_for_score": 0, "enough": 0, "bins": (0.0, 1.0)}
    few, many = (identities(filtered(msa, Rule(diverse=each, **both))) for each in (15, 150))
    for each in (few, many):
        np.fill_diagonal(each, 0)
    # By the one that is most alike to each.
    assert np.median(few.max(axis=0)) < np.median(many.max(axis=0))


def test_rows_are_the_same_however_many_are_compared_together(monkeypatch):
    msa = family(200)
    rule = Rule(enough_for_score=0, enough=0, diverse=20)
    expected = names(filtered(msa, rule))
    monkeypatch.setattr(filtering, "_TOGETHER", 7)
    monkeypatch.setattr(filtering, "_BYTE", 11)
    monkeypatch.setattr(filtering, "_BETWEEN", 3)
    assert names(filtered(msa, rule)) == expected


def test_long_queries_count_beyond_a_byte():
    query = QUERY * 10
    rows = (query[:20] + "-" * 380, changed(300, query), changed(280, query), query)
    assert rows_of(filtered(of_rows(query, *rows), ALWAYS)) == [
        changed(300, query).encode(),
        changed(280, query).encode(),
    ]


def test_insertions_do_not_count():
    with_insertion = changed(20)[:10] + "wwwww" + changed(20)[10:]
    assert names(filtered(of_rows(QUERY, changed(20), with_insertion), ALWAYS)) == ["r1"]


@pytest.mark.skipif(shutil.which("hhfilter") is None, reason="hhfilter, of the package hhsuite, is not installed")
@pytest.mark.parametrize(
    ("options", "rule"), [(("-id", "90"), (0.9, 3000)), (("-id", "95", "-diff", "100"), (0.95, 100))]
)
def test_hhfilter_keeps_as_many_rows(tmp_path, options, rule):
    msa = family(400, columns=200, clades=20)
    given, found = tmp_path / "given.a3m", tmp_path / "found.a3m"
    given.write_bytes(b"".join(write_a3m(msa)))
    subprocess.run(["hhfilter", "-v", "0", "-i", str(given), "-o", str(found), *options], check=True)
    with found.open("rb") as file:
        theirs = names(read_a3m(file))
    most_identical, diverse = rule
    alone = Rule(-20.0, 0, 0, most_identical=most_identical, bins=(0.0, 1.0), diverse=diverse)
    assert len(filtered(msa, alone)) == pytest.approx(len(theirs), rel=0.15)
