import pytest

from shardwater.formats.number_text import bits_text, evalue_text, percent_text


@pytest.mark.parametrize(
    ("evalue", "text"),
    [
        (0.0, "0.0"),
        (5e-324, "0.0"),
        (9.99e-181, "0.0"),
        (1e-180, "1e-180"),
        (1.2e-100, "1e-100"),
        (9.99e-100, "1e-99"),
        (1e-99, "1e-99"),
        (2.6e-5, "3e-05"),
        (0.000899, "9e-04"),
        (0.0009, "0.001"),
        (0.0123, "0.012"),
        (0.0994, "0.099"),
        (0.1, "0.10"),
        (0.994, "0.99"),
        (1.0, "1.0"),
        (9.94, "9.9"),
        (9.99, "10.0"),
        (10.0, "10"),
        (10.6, "11"),
        (1885.73, "1886"),
        (1e15, "1000000000000000"),
    ],
)
def test_evalue_in_a_report(evalue, text):
    assert evalue_text(evalue) == text


@pytest.mark.parametrize(
    ("evalue", "text"),
    [
        (9.99e-181, "0.0"),
        (1e-180, "1.00e-180"),
        (1.2e-100, "1.20e-100"),
        (2.649e-5, "2.65e-05"),
        (0.000899, "8.99e-04"),
        (0.0009, "0.001"),
        (0.05, "0.050"),
        (0.5, "0.50"),
        (5.0, "5.0"),
        (12.0, "12"),
    ],
)
def test_evalue_in_a_table(evalue, text):
    assert evalue_text(evalue, table=True) == text


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        (9.46, " 9.5"),
        (23.8682, "23.9"),
        (99.9, "99.9"),
        (99.91, "99"),
        (100.0, "100"),
        (912.99, "912"),
        (99_999.0, "99999"),
        (99_999.5, "1.000e+05"),
        (123_456.0, "1.235e+05"),
        (-3.2, "-3.2"),
    ],
)
def test_bits(bits, text):
    assert bits_text(bits) == text


@pytest.mark.parametrize(("percent", "text"), [(100.0, "100.000"), (200 / 3, "66.667"), (0.0, "0.000")])
def test_percent_has_three_decimals(percent, text):
    assert percent_text(percent) == text


def test_a_figure_that_is_not_available_says_so():
    assert [evalue_text(None), evalue_text(None, table=True), bits_text(None), percent_text(None)] == ["N/A"] * 4
