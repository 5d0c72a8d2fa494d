"""Text that is sent with a request: as it is given, or out of a file, plain or gzip."""

import gzip
import re
import zlib
from os import PathLike
from pathlib import Path

from shardwater_client.errors import InvalidSequenceError, ShardwaterError

_GZIP_MAGIC = b"\x1f\x8b"
_PATH = re.compile(r"(~?/|\.\.?/)[^>\n]*|[^>\n]*\.[A-Za-z0-9]{1,8}", re.ASCII)
"""No sequence has a dot before its last letters, nor begins so."""


def text_of(given: str | PathLike[str]) -> str:
    """Text, or what a file holds.

    Raises InvalidSequenceError for text that is a path, OSError, and ShardwaterError for a gzip file that is damaged.
    """
    return checked(given) if isinstance(given, str) else _read(Path(given))


def checked(text: str) -> str:
    """The text; raises InvalidSequenceError where it is a path. The message does not have it: it may be secret."""
    if _PATH.fullmatch(text.strip()):
        raise InvalidSequenceError(
            "this text looks like the path of a file, and text is searched as it is: give a file as pathlib.Path(...)"
        )
    return text


def _read(path: Path) -> str:
    content = path.read_bytes()
    if content.startswith(_GZIP_MAGIC):
        try:
            content = gzip.decompress(content)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise ShardwaterError(f"{path}: corrupt or truncated gzip file ({error})") from None
    # The server warns of what is lost.
    return content.decode("utf-8", "replace")
