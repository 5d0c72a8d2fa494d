"""The encoding of headers and names: UTF-8, and Windows-1252 for each byte that is not.

Files of sequences name no encoding, and older programs write Latin-1. Its letters are those of Windows-1252, in which
every byte has a character of its own: so two names that differ in such a byte never become one, as they do with U+FFFD.
"""

import codecs

_HANDLER = "shardwater-windows-1252"
# As browsers have it: the five bytes without a character are the control characters of Latin-1.
_WINDOWS_1252 = "".join(bytes([byte]).decode("windows-1252", "ignore") or chr(byte) for byte in range(256))
_BYTES = {letter: byte for byte, letter in enumerate(_WINDOWS_1252)}


def decoded(text: bytes) -> str:
    """The text of a header, a name or a line that has any; bytes that are not UTF-8 are read as Windows-1252."""
    return text.decode("utf-8", _HANDLER)


def as_utf8(text: bytes) -> bytes:
    """The same as UTF-8."""
    return decoded(text).encode()


def in_windows_1252(text: str) -> bytes | None:
    """The bytes of a text in Windows-1252; None where that has not all of its letters."""
    return bytes(map(_BYTES.__getitem__, text)) if _BYTES.keys() >= set(text) else None


def is_utf8(text: bytes) -> bool:
    """Whether `decoded` changes nothing."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join(map(_WINDOWS_1252.__getitem__, error.object[error.start : error.end])), error.end


codecs.register_error(_HANDLER, _replace)
