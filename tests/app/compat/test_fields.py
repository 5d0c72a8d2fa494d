"""What a request says, put together from its query string and its form."""

import pytest

from app.compat.fields import Fields
from app.problems import InvalidParameterError


def test_names_are_known_in_either_case_and_blanks_are_nothing() -> None:
    fields = Fields([("Query", "MKV"), ("EXPECT", " "), ("filter", "")])
    assert (fields.get("QUERY"), fields.get("expect"), fields.get("FILTER")) == ("MKV", None, None)


def test_value_that_is_said_twice_is_one_and_two_values_are_refused() -> None:
    fields = Fields([("RID", "A"), ("rid", "A"), ("CMD", "Put"), ("CMD", "Get")])
    assert fields.get("RID") == "A"
    with pytest.raises(InvalidParameterError, match="sent twice"):
        fields.get("CMD")


def test_lists_keep_their_order() -> None:
    assert Fields([("database[]", "b"), ("database[]", "a")]).all("database[]") == ["b", "a"]


@pytest.mark.parametrize(("text", "number"), [("10", 10.0), ("1e-200", 1e-200), ("1.0", 1.0), (" 0.5 ", 0.5)])
def test_number_above_0(text: str, number: float) -> None:
    assert Fields([("EXPECT", text)]).number("EXPECT") == number


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "ten", "1,5", "1_0", "+5", "١٠", "0x5", "1e1_0", "5\u00b2"])
def test_what_is_no_number_above_0_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError, match="a number above 0"):
        Fields([("EXPECT", text)]).number("EXPECT")


@pytest.mark.parametrize(("text", "number"), [("50", 50), ("-11", -11), (" 7 ", 7)])
def test_whole_number(text: str, number: int) -> None:
    assert Fields([("n", text)]).integer("n") == number


@pytest.mark.parametrize("text", ["1.5", "--1", "²", "99999999999", "x", "1_0", "+5", "١٠", "-"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameterError, match="a whole number"):
        Fields([("n", text)]).integer("n")


def test_missing_field_is_named() -> None:
    with pytest.raises(InvalidParameterError, match="missing") as caught:
        Fields([]).need("QUERY")
    assert caught.value.parameter == "QUERY"


def test_only_what_asks_for_something_unsupported_is_refused() -> None:
    unsupported = {"SERVICE": ("plain",), "PSSM": ()}
    Fields([("service", "Plain"), ("PSSM", "")]).refuse(unsupported)
    for name, value in (("SERVICE", "psi"), ("PSSM", "x")):
        with pytest.raises(InvalidParameterError) as caught:
            Fields([(name, value)]).refuse(unsupported)
        assert caught.value.parameter == name
