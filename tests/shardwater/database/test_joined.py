import pytest

from shardwater.database.joined import Joined, Part

ONE = [("s1 first", "MKVLA"), ("s2 second", "MKV"), ("s3", "M")]
OTHER = [("s1 another", "WWWW"), ("t2", "WC")]


@pytest.fixture
def joined(build):
    return Joined.of([build(ONE, name="one"), build(OTHER, name="other")])


def test_subjects_are_numbered_through_all_databases(joined):
    assert (len(joined), joined.residues) == (5, 15)
    assert joined.names_of_all(range(5)) == [
        ("s3", ""),
        ("s2", "second"),
        ("s1", "first"),
        ("t2", ""),
        ("s1", "another"),
    ]
    assert [joined.name_of(subject) for subject in range(5)] == ["one"] * 3 + ["other"] * 2


def test_what_is_read_comes_in_the_order_asked_for(joined):
    assert joined.sequences([4, 0, 3, 2, 4]) == [b"WWWW", b"M", b"WC", b"MKVLA", b"WWWW"]
    assert joined.lengths_of([4, 0, 3, 2, 4]).tolist() == [4, 1, 2, 5, 4]
    assert joined.accession(3) == "t2"
    assert joined.sequences([]) == []


@pytest.mark.parametrize("subject", [-1, 5])
def test_subject_that_there_is_not_is_missed(joined, subject):
    for read in (joined.sequences, joined.lengths_of, joined.names_of_all):
        with pytest.raises(IndexError, match="1 of 2 subjects are in none of the databases"):
            read([0, subject])


def test_some_of_the_databases_may_be_there(build):
    there = Joined((Part(build(OTHER, name="other"), "called so", 3),))
    assert there.sequences([4]) == [b"WWWW"]
    assert there.name_of(3) == "called so"
    with pytest.raises(IndexError):
        there.sequences([0])
