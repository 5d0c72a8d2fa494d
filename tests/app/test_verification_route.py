"""What the route of verifications answers where one cannot be planned."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.problems import InvalidParameterError
from app.routes import verifications
from worker.kinds.verification import SampleTooLarge, VerificationRequest


def test_a_sample_that_is_too_large_is_the_parameters_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(*_: Any) -> None:
        raise SampleTooLarge(100, 6_873_339_241)

    monkeypatch.setattr(verifications, "plan", plan)
    asked = SimpleNamespace(statistics="fitted")
    store = SimpleNamespace(stored=lambda _: None, request=lambda _: (asked, None))
    with pytest.raises(InvalidParameterError) as caught:
        verifications._submit(cast(Any, SimpleNamespace(store=store)), VerificationRequest(search="s", sample=100), "")
    assert caught.value.parameter == "sample"
    assert str(caught.value) == (
        "with its hits a sample of 100 takes 6,873,339,241 cells, more than 4,000,000,000: verify all of it, or on the "
        "command line with --data"
    )
