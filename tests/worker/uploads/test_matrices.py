"""Users' own matrices in Redis: each owner's, equal ones once, for their time, no more than a few."""

import pytest
from redis import Redis

from shardwater.errors import LimitExceeded
from shardwater.scoring.matrix_text import rows_of
from shardwater.scoring.scoring import Rows, load_matrix, own_matrix
from worker.access.callers import Caller
from worker.uploads import matrices
from worker.uploads.limits import UploadNotFound
from worker.uploads.matrices import OwnMatrices

ROWS = rows_of(load_matrix("PAM30"))
ANN, BOB, BOSS = (
    Caller("ann", frozenset({"search"}), "owner ann"),
    Caller("bob", frozenset({"search"}), "owner bob"),
    Caller("boss", frozenset({"admin"}), "owner boss"),
)


@pytest.fixture
def own(redis: Redis) -> OwnMatrices:
    return OwnMatrices(redis, 1000)


def another(number: int) -> Rows:
    """The same with another score of `*` against itself."""
    return (*ROWS[:-1], (*ROWS[-1][:-1], number))


def test_a_matrix_is_its_owners_alone(own: OwnMatrices) -> None:
    kept, reused = own.of(ANN).keep(ROWS)
    assert (kept.id, kept.scores, reused) == (own_matrix(ROWS).name, ROWS, False)
    assert own.of(ANN).get(kept.id) == kept
    for other in (BOB, BOSS):
        with pytest.raises(UploadNotFound, match=kept.id):
            own.of(other).get(kept.id)
        with pytest.raises(UploadNotFound):
            own.of(other).delete(kept.id)
    assert own.of(BOB).keep(ROWS)[1] is False
    own.of(BOB).delete(kept.id)
    assert own.of(ANN).get(kept.id) == kept


def test_an_equal_one_is_kept_anew(own: OwnMatrices, redis: Redis) -> None:
    first, _ = own.keep(ROWS)
    again, reused = own.keep(ROWS)
    assert (again.id, reused) == (first.id, True)
    assert again.expires >= first.expires
    assert all(0 < redis.ttl(key) <= 1000 for key in redis.scan_iter("*:matri*"))


def test_one_whose_time_is_over_is_as_one_that_never_was(own: OwnMatrices, redis: Redis) -> None:
    kept, _ = own.keep(ROWS)
    # As Redis does at the end of its time.
    [key] = redis.scan_iter("*:matrix:*")
    redis.delete(key)
    with pytest.raises(UploadNotFound):
        own.get(kept.id)


@pytest.mark.parametrize("name", ["", "matrix-", "matrix-" + "0" * 32, "matrix-" + "G" * 32, "BLOSUM62"])
def test_other_names_are_not_found(own: OwnMatrices, name: str) -> None:
    with pytest.raises(UploadNotFound):
        own.get(name)


def test_an_owner_has_no_more_than_a_few(own: OwnMatrices, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, "MOST_MATRICES", 3)
    kept = [own.of(ANN).keep(another(number))[0] for number in range(3)]
    with pytest.raises(LimitExceeded, match="max_owner_matrices"):
        own.of(ANN).keep(another(3))
    assert own.of(ANN).keep(another(0))[1] is True
    own.of(BOB).keep(another(3))
    own.of(ANN).delete(kept[1].id)
    assert own.of(ANN).keep(another(3))[1] is False
