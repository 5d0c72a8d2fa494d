"""Names of files that say no encoding: none is lost, and no two bytes become one letter."""

from hypothesis import given
from hypothesis import strategies as st

from shardwater.sequences.encoding import as_utf8, decoded, is_utf8


def test_each_byte_that_is_not_utf8_has_a_letter_of_its_own() -> None:
    letters = [decoded(bytes([byte])) for byte in range(256)]
    assert len(set(letters)) == 256
    assert "".join(letters[0x80:0x86]) == "\u20ac\x81\u201a\u0192\u201e\u2026"
    assert "".join(letters[0xA0:]) == bytes(range(0xA0, 256)).decode("latin-1")


@given(st.text().filter(lambda text: text.isprintable()))
def test_utf8_stays_as_it_is(text: str) -> None:
    assert decoded(text.encode()) == text
    assert as_utf8(text.encode()) == text.encode()


@given(st.binary())
def test_any_bytes_become_utf8(text: bytes) -> None:
    assert is_utf8(as_utf8(text))
    assert (as_utf8(text) == text) is is_utf8(text)
