"""Archives that are written while they are sent, and the rows that may be paired."""

import gzip
import io
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from app.compat.colabfold.downloads import _EMPTY, PIECE, _may_pair, packed
from shardwater.formats.chunks import CHUNK, in_chunks
from tests.support.msas import MSA


def read(archive: bytes) -> dict[str, bytes]:
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            file = tar.extractfile(member)
            assert file is not None
            found[member.name] = file.read()
    return found


def test_archive_holds_files_of_any_length() -> None:
    contents = {"empty": b"", "one": b"1", "block": bytes(512), "long": bytes(range(256)) * (3 * PIECE // 256 + 1)}
    files = ((name, partial(in_chunks, [content])) for name, content in contents.items())
    assert read(b"".join(packed(files))) == contents


def test_something_is_sent_while_a_file_is_made() -> None:
    made, each = list[int](), PIECE // CHUNK

    def write() -> Iterator[bytes]:
        for number in range(2 * each):
            made.append(number)
            yield bytes(CHUNK)

    pieces = packed(iter([("file", write)]))
    for number in range(1, 2 * each + 1):
        assert next(pieces) == _EMPTY
        assert len(made) == number
    assert len(gzip.decompress(next(pieces))) == tarfile.BLOCKSIZE
    # What is sent is written again: nothing of it was kept.
    for number in (1, 2):
        assert gzip.decompress(next(pieces)) == bytes(PIECE)
        assert len(made) == (2 + number) * each


def test_rows_that_cover_half_of_their_subject_may_be_paired() -> None:
    figures = MSA.figures.copy()
    figures["subject_start"], figures["subject_end"] = 10, 20
    figures["length"] = (20, 21, 20, 20)
    figures["evalue"] = (1e-3, 1e-9, 1.1e-3, float("nan"))
    assert _may_pair(replace(MSA, figures=figures)).tolist() == [0]
