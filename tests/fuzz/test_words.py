"""Everything else that comes from outside as text: read, or refused with an error of ours, never with another."""

import base64
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from app.middleware.compression import takes_gzip
from app.page.link_rules import Links
from app.problems import InvalidParameterError, NotAcceptableError
from app.requests.prefer_header import Preferences, read_key
from app.responses.http_cache import is_known
from app.responses.result_formats import negotiate
from shardwater.errors import UnknownColumn
from shardwater.formats.columns import parse_columns
from tests.fuzz.cases import cases
from worker.cli.output_format import OutputFormat
from worker.jobs.page_tokens import PageTokenError, read_token, write_token
from worker.settings import Settings, SettingsError

WORDS = st.text(max_size=30)
NUMBERS = st.integers().map(str) | st.text("0123456789_+- .e\u0661\u00b2", max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=3),
)
READERS: list[tuple[Callable[[str], object], type[Exception] | tuple[type[Exception], ...]]] = [
    (parse_columns, UnknownColumn),
    (lambda text: read_token((1,), text), PageTokenError),
    (Preferences.of, ()),
    (read_key, InvalidParameterError),
    (negotiate, NotAcceptableError),
    (takes_gzip, ()),
    (lambda text: is_known(text, 'W/"x"'), ()),
    (lambda text: OutputFormat.parse(text, None), (typer.BadParameter, typer.Exit)),
    (lambda text: OutputFormat.parse(f"6 {text}", None), (typer.BadParameter, typer.Exit)),
]


@given(text=WORDS | st.text(";=,q.01*/ \"'\\", max_size=30))
@cases(100)
def test_any_words_are_read_or_refused(text: str) -> None:
    for read, refused in READERS:
        with suppress(refused):
            read(text)


@given(fields=JSON | st.tuples(JSON, JSON, JSON))
@cases(100)
def test_any_json_as_a_page_token_is_refused(fields: object) -> None:
    token = base64.urlsafe_b64encode(json.dumps(fields).encode()).decode()
    with pytest.raises(PageTokenError):
        read_token((1,), token)


@given(place=st.floats(allow_nan=False, allow_infinity=False), name=WORDS, listed=st.tuples(WORDS, st.integers()))
@cases(50)
def test_a_page_token_of_ours_is_read(place: float, name: str, listed: tuple[str, int]) -> None:
    assert read_token(listed, write_token(listed, place, name)) == (place, name)


@given(name=st.sampled_from(list(Settings.__slots__)), value=WORDS | NUMBERS)
@cases(150)
def test_any_setting_is_read_or_refused_by_its_name(name: str, value: str) -> None:
    variable = f"SHARDWATER_{name.upper()}"
    try:
        read = getattr(Settings.from_env({variable: value}), name)
    except SettingsError as error:
        assert variable in str(error)
    else:
        assert isinstance(read, Path) or str(read) == value or int(value) == read


RULE = "- label: x\n  url: https://a.b/\n  pattern: "
BROKEN_LINKS = [
    *("[" * 5_000, "- " * 5_000, "2026-99-99", "- 2026-13-45", "!!int x", "!!float x", "!!timestamp x", "!!binary x"),
    *("? [a]\n: b", "!!python/object:os.system x", "*a", "\0", "{", "1", "a: b"),
    *(f"{RULE}'{'(' * 5_000}'", f"{RULE}'a{{1,99999999999999}}'", f"{RULE}'('", f"{RULE}'(?P<a>x)'"),
]


@pytest.mark.parametrize("text", BROKEN_LINKS, ids=range(len(BROKEN_LINKS)))
def test_broken_file_of_links_names_the_setting(tmp_path: Path, text: str) -> None:
    (tmp_path / "links.yaml").write_text(text)
    with pytest.raises(SettingsError, match="SHARDWATER_LINKS"):
        Links.read(str(tmp_path / "links.yaml"))


@pytest.mark.parametrize("text", ['6 "', "6 'qseqid", "10 std\\"])
def test_output_format_with_an_open_quote_is_wrong_usage(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        OutputFormat.parse(text, None)
