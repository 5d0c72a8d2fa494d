"""Tags of results, and what If-None-Match makes of them."""

import pytest

from app.responses.http_cache import is_known, result_headers


@pytest.mark.parametrize(
    ("header", "known"),
    [
        (None, False),
        ("", False),
        ("*", True),
        ('W/"a.json.1"', True),
        ('"a.json.1"', True),
        ('"x", W/"a.json.1" , "y"', True),
        ('W/"a.tab.1"', False),
        ("a.json.1", False),
        ('w/"a.json.1"', False),
    ],
)
def test_if_none_match(header: str | None, known: bool) -> None:
    assert is_known(header, 'W/"a.json.1"') is known


def test_tag_tells_search_and_format_apart() -> None:
    tags = {result_headers(search, form, 5)["ETag"] for search in ("a", "b") for form in ("json", "tab")}
    assert len(tags) == 4
    assert result_headers("a", "json", 5) == result_headers("a", "json", 5)
    assert result_headers("a", "json", 17)["Cache-Control"] == "private, immutable, max-age=17"
