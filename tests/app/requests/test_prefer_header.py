"""What Prefer and Idempotency-Key are taken to say."""

import pytest

from app.problems import InvalidParameterError
from app.requests.prefer_header import LONGEST_KEY, Preferences, read_key


@pytest.mark.parametrize(
    ("header", "expected", "applied_later", "applied_now"),
    [
        (None, Preferences(), "", ""),
        ("handling=lenient", Preferences(), "", ""),
        ("respond-async", Preferences(at_once=True), "respond-async", ""),
        ("Respond-Async, wait=10", Preferences(10, True), "wait=10, respond-async", "wait=10"),
        ("respond-async=no", Preferences(), "", ""),
        ("return=minimal", Preferences(returned="minimal"), "return=minimal", "return=minimal"),
        ("wait=5; return=MINIMAL", Preferences(5, returned="minimal"), "wait=5, return=minimal", None),
        ("return=representation", Preferences(returned="representation"), "return=representation", None),
        ("return=minimally", Preferences(), "", ""),
        ("no-return=minimal", Preferences(), "", ""),
    ],
)
def test_preferences(header: str | None, expected: Preferences, applied_later: str, applied_now: str | None) -> None:
    found = Preferences.of(header)
    assert found == expected
    assert found.applied(ended=False) == applied_later
    assert found.applied(ended=True) == (applied_later if applied_now is None else applied_now)


@pytest.mark.parametrize(
    ("header", "key"),
    [
        (None, None),
        ('"8e03978e-40d5-43e8-bc93-6894a57f9324"', "8e03978e-40d5-43e8-bc93-6894a57f9324"),
        (' "a" ', "a"),
        ('"with blank, comma; =?"', "with blank, comma; =?"),
        (r'"a \"quote\" and \\"', r'a "quote" and ' + "\\"),
        (f'"{"x" * LONGEST_KEY}"', "x" * LONGEST_KEY),
    ],
)
def test_key_is_a_quoted_string(header: str | None, key: str | None) -> None:
    assert read_key(header) == key


@pytest.mark.parametrize(
    "header",
    ["", '""', "bare", '"open', 'shut"', '"a" "b"', '"a"b"', '"tab\t"', '"é"', r'"\a"', '"a\\"', "'a'",
     f'"{"x" * (LONGEST_KEY + 1)}"'],
)  # fmt: skip
def test_other_keys_are_refused(header: str) -> None:
    with pytest.raises(InvalidParameterError) as refused:
        read_key(header)
    assert refused.value.parameter == "Idempotency-Key"
