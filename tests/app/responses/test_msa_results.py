"""MSAs of several chains: none of their texts stands in memory whole."""

import gzip
import io
import tarfile
from collections.abc import Iterator
from functools import partial

import pytest

from app.responses import msa_results
from app.responses.msa_results import _lines, archive
from shardwater.formats.chunks import CHUNK
from shardwater.formats.msas.writers import MSA_FORMATS
from shardwater.msa.msa import Msa
from tests.support.msas import MSA, family

NAMES = ("1.empty.a3m", "2.block.a3m", f"3.{'long' * 40}.a3m", "4.last.a3m")
CONTENTS = (b"", bytes(tarfile.BLOCKSIZE), bytes(range(256)) * 2000, b">q\nMKT\n")


def written(content: bytes) -> Iterator[bytes]:
    for first in range(0, len(content), 100):
        yield content[first : first + 100]


def packed_by_tarfile() -> bytes:
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w|", format=tarfile.PAX_FORMAT) as writing:
        for name, content in zip(NAMES, CONTENTS, strict=True):
            told = tarfile.TarInfo(name)
            told.size, told.mode = len(content), 0o644
            writing.addfile(told, io.BytesIO(content))
    return gzip.compress(tar.getvalue(), 1, mtime=0)


@pytest.mark.parametrize("kept", [0, len(CONTENTS[1]), msa_results.MOST_KEPT])
def test_an_archive_is_as_tarfile_makes_it(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(msa_results, "MOST_KEPT", kept)
    files = zip(NAMES, (partial(written, content) for content in CONTENTS), strict=True)
    assert gzip.decompress(b"".join(archive(files))) == gzip.decompress(packed_by_tarfile())


def test_a_short_file_is_written_once() -> None:
    counts = list[int]()

    def write() -> Iterator[bytes]:
        counts.append(1)
        yield b"ACDE"

    assert b"".join(archive(iter([("file", write)])))
    assert counts == [1]


def test_a_long_file_is_sent_while_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(msa_results, "MOST_KEPT", CHUNK)
    counts = list[int]()
    letters = bytes(family(2000).letters.joined)

    def write() -> Iterator[bytes]:
        counts.append(0)
        for piece in [letters] * 20:
            counts[-1] += 1
            yield piece

    sent = b""
    pieces = archive(iter([("file", write)]))
    while len(sent) < CHUNK:
        sent += next(pieces)
    # Once for its length, and then as far as it is sent.
    first, second = counts
    assert (first, second < first) == (20, True)


def test_a_line_is_sent_while_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[int]()

    a3m = Msa.a3m

    def reading(msa: Msa, number: int) -> bytes:
        read.append(number)
        return a3m(msa, number)

    monkeypatch.setattr(Msa, "a3m", reading)
    pieces = _lines(iter([MSA, MSA]))
    assert next(piece for piece in pieces if b"sp|P1" in piece)
    assert read == [0]
    first, second = b"".join(_lines(iter([MSA, MSA]))).splitlines()
    assert first == second == b"".join(MSA_FORMATS["json"].write(MSA)).replace(b"\n", b"")
