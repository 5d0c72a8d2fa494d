"""Users' words in names of files: safe on every system and in a header."""

import pytest

from shardwater.formats.file_names import LONGEST, safe


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
