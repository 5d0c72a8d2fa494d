"""Names of downloaded files: telling, and safe on every system and in a header."""

import pytest

from app.responses.file_names import LONGEST, file_name, safe


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Four queries", "Four_queries"),
        ("sp|P00517|KAPCA_BOVIN", "sp_P00517_KAPCA_BOVIN"),
        ("Hefe-Stämme, 2. Lauf", "Hefe-Stamme_2._Lauf"),
        ("../../etc/passwd", "etc_passwd"),
        ('a"; filename="b.exe', "a_filename_b.exe"),
        ("a\r\nSet-Cookie: b", "a_Set-Cookie_b"),
        ("COM1 <>:\\/*?", "COM1"),
        ("酵素", ""),
        ("x" * 500, "x" * LONGEST),
        ("a" + "\u0301\u0316" * 1_000_000, "a"),
    ],
)
def test_a_text_becomes_a_safe_part_of_a_name(text: str, name: str) -> None:
    assert safe(text) == name


def test_a_name_has_the_title_or_else_the_id_and_the_query() -> None:
    assert file_name("Four queries", "abc") == "Four_queries"
    assert file_name("", "abc") == "abc"
    assert file_name("酵素", "abc", "2_sp|P00517|X") == "abc.2_sp_P00517_X"
    assert file_name("Four queries", "abc", "2_q", selected=True) == "Four_queries.2_q.selected"
