"""An upload on its way: unpacked, checked, counted and written piece by piece, in the same memory however long it is.

What stands in the file is the text as it was sent, unpacked; its digest is that of `sha256sum`.
"""

import hashlib
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shardwater.errors import FastaFormatError, LimitExceeded
from shardwater.sequences.alphabets import Alphabet
from shardwater.sequences.checking import Checked, SequenceCheck
from worker.jobs.folders import make_folder, storing
from worker.jobs.results.packing import UnpackingError, is_packed, unpacker
from worker.uploads.limits import UploadLimits

NAME = "the upload"
"""What errors call it."""
PIECE = 1 << 18
"""Bytes that are unpacked and checked at a time."""
PACKED_PIECE = 1 << 12
"""Bytes that are given to be unpacked at a time."""


@dataclass(frozen=True, slots=True)
class Sent:
    """How an upload comes: its alphabet, where it is said, and whether it was said to be gzip."""

    alphabet: Alphabet | None = None
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Received:
    """A checked upload in a file that nobody knows yet."""

    path: Path
    checked: Checked
    bytes: int
    sha256: str


class Incoming:
    """One upload, in a file of its own until that is moved away or discarded."""

    def __init__(self, folder: Path, sent: Sent, limits: UploadLimits) -> None:
        self._folder, self._sent, self._limits = folder, sent, limits
        self._check = SequenceCheck(NAME, sent.alphabet, limits)
        self._unpacking: _Unpacking | None = None
        self._digest, self._size, self._begun = hashlib.sha256(), 0, False
        with storing(folder, NAME):
            make_folder(folder)
            self._path = folder / secrets.token_hex(16)
            self._file = self._path.open("xb")

    def discard(self) -> None:
        """Leave nothing behind, unless the file was moved away."""
        with storing(self._folder, NAME):
            self._path.unlink(missing_ok=True)
            # What is not yet written may not be written on a full disk either.
            self._file.close()

    def take(self, sent: bytes) -> None:
        """The next bytes as they came; of the first ones, which tell the format, some thousand if there are so many.

        Raises FastaFormatError, LimitExceeded or StorageFull.
        """
        if not self._begun:
            self._begun = True
            if is_packed(sent):
                self._unpacking = _Unpacking()
            elif self._sent.packed:
                raise FastaFormatError("Content-Encoding is gzip, and the body is not", file=NAME)
        if self._unpacking is None:
            self._keep(sent)
            return
        for piece in self._unpacking.take(sent):
            self._keep(piece)

    def finish(self) -> Received:
        """The checked upload, safely on disk; raises what take does."""
        if self._unpacking is not None:
            self._unpacking.close()
        checked = self._check.close()
        with storing(self._folder, NAME):
            self._file.flush()
            os.fsync(self._file.fileno())
        return Received(self._path, checked, self._size, self._digest.hexdigest())

    def _keep(self, text: bytes) -> None:
        self._size += len(text)
        if self._size > self._limits.max_upload_bytes:
            raise LimitExceeded("max_upload_bytes", self._limits.max_upload_bytes, self._size)
        self._check.take(text)
        self._digest.update(text)
        with storing(self._folder, NAME):
            self._file.write(text)


class _Unpacking:
    """The text of gzip of any number of members, in pieces of a bounded size."""

    def __init__(self) -> None:
        self._member, self._open = unpacker(), False

    def take(self, packed: bytes) -> Iterator[bytes]:
        """What these bytes hold; raises FastaFormatError."""
        for start in range(0, len(packed), PACKED_PIECE):
            yield from self._take(packed[start : start + PACKED_PIECE])

    def _take(self, packed: bytes) -> Iterator[bytes]:
        # What follows a member is copied: of a large piece of many small members that would take for ever.
        try:
            while packed:
                # Zeros between members are padding.
                if not self._open and not (packed := packed.lstrip(b"\0")):
                    return
                piece = self._member.decompress(packed, PIECE)
                self._open, packed = True, self._member.unconsumed_tail
                if self._member.eof:
                    packed, self._member, self._open = self._member.unused_data, unpacker(), False
                if piece:
                    yield piece
        except UnpackingError:
            raise FastaFormatError("corrupt gzip file", file=NAME) from None

    def close(self) -> None:
        """Raise FastaFormatError for a member that is not whole."""
        if self._open:
            raise FastaFormatError("truncated gzip file", file=NAME)
