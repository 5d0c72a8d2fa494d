"""A real browser on a real server: Chromium, watched for errors and for requests to anybody else."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import PATIENCE_MS, Begin, Visit, launched
from tests.support.server import Server

expect.set_options(timeout=PATIENCE_MS)


# One for each process of the tests.
browser = pytest.fixture(scope="session")(launched)


@pytest.fixture
def begin(browser: Browser, server: Server) -> Iterator[Begin]:
    """begin(url=..., **options of the context): a visit in a browser of its own, without a fault by its end."""
    visits: list[Visit] = []

    def make(url: str = "", **options: object) -> Visit:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})  # type: ignore[arg-type]
        visits.append(Visit.begin(context, url or server.url))
        return visits[-1]

    yield make
    for visit in visits:
        # What still answers a request of this page would fail in the middle of the next test.
        visit.page.unroute_all(behavior="ignoreErrors")
        visit.page.context.close()
        assert visit.faults == []
        assert visit.outside == []


@pytest.fixture
def visit(begin: Begin) -> Visit:
    """A tab that the test may use."""
    return begin()
