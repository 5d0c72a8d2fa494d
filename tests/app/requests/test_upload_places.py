"""Places for uploads: none for more than there are, and nobody has all."""

from contextlib import ExitStack

import pytest

from app.problems import OverloadError
from app.requests.uploads import AT_ONCE, AT_ONCE_EACH, UploadPlaces


def test_nobody_takes_all_places() -> None:
    places = UploadPlaces()
    with ExitStack() as taken:
        for _ in range(AT_ONCE_EACH):
            taken.enter_context(places.one("ann"))
        with pytest.raises(OverloadError), places.one("ann"):
            pass
        with places.one("bob"):
            pass
    with places.one("ann"):
        pass


def test_there_are_so_many_in_all() -> None:
    places = UploadPlaces()
    with ExitStack() as taken:
        for number in range(AT_ONCE):
            taken.enter_context(places.one(str(number)))
        with pytest.raises(OverloadError), places.one("another"):
            pass
    with ExitStack() as taken:
        for number in range(AT_ONCE):
            taken.enter_context(places.one(str(number)))
