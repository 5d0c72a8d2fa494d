"""Folders for what is kept besides Redis: nobody else on the machine looks into them, and files are written whole."""

import logging
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shardwater.errors import AlignError

log = logging.getLogger(__name__)


class StorageFull(AlignError):
    """No room for what is to be kept, or no folder that can be written to."""


@contextmanager
def storing(folder: Path, what: str) -> Iterator[None]:
    """Around what writes to the folder: raises StorageFull where that cannot be done. what: in a sentence."""
    try:
        yield
    except OSError as error:
        log.error("%s cannot be kept in %s: %s", what, folder, error.strerror)
        detail = f"{what} could not be stored: send the request again later; the server's log has the reason"
        raise StorageFull(detail) from None


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, for nobody else on the machine to look into."""
    for each in reversed([folder, *folder.parents]):
        each.mkdir(mode=0o700, exist_ok=True)


def make_inside(top: Path, *names: str) -> Path:
    """Make a folder in one that exists, one name a level, for nobody else on the machine to look into.

    Raises FileNotFoundError where `top` is gone: that is not made again.
    """
    folder = top
    for name in names:
        folder /= name
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def write_file(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all, and see to it that a crash does not take it away."""
    new = path.with_name(f".{secrets.token_hex(8)}")
    try:
        with new.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.rename(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    sync(path.parent)


def sync(folder: Path) -> None:
    """Have the names in a folder outlast a crash."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
