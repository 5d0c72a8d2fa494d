"""An upload on its way: what its file holds in the end, and that nothing remains of one that is refused."""

import gzip
import hashlib
import resource
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shardwater.errors import FastaFormatError, LimitExceeded
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.checking import Checked
from worker.jobs.folders import StorageFull
from worker.uploads.incoming import PIECE, Incoming, Received, Sent
from worker.uploads.limits import UploadLimits

FASTA = b">a\r\nMKV\r\n>b\nLAAG\n"


@contextmanager
def coming(folder: Path, sent: Sent | None = None, limits: UploadLimits | None = None) -> Iterator[Incoming]:
    """An upload on its way, discarded in the end."""
    incoming = Incoming(folder, sent or Sent(), limits or UploadLimits())
    try:
        yield incoming
    finally:
        incoming.discard()
        assert list(folder.iterdir()) == []


def received(incoming: Incoming, body: bytes, step: int = 1 << 16) -> Received:
    for at in range(0, len(body), step):
        incoming.take(body[at : at + step])
    return incoming.finish()


def packed(text: bytes) -> bytes:
    """The same bytes at any time: a test's name holds its parameters, and each process must find the same tests."""
    return gzip.compress(text, mtime=0)


@pytest.mark.parametrize("body", [FASTA, packed(FASTA), packed(FASTA[:9]) + packed(FASTA[9:])])
@pytest.mark.parametrize("step", [20, 1 << 16])
def test_file_holds_the_text_as_it_was_sent_unpacked(tmp_path: Path, body: bytes, step: int) -> None:
    with coming(tmp_path / "in") as incoming:
        found = received(incoming, body, step)
        assert (found.checked, found.bytes) == (Checked("protein", 2, 7), len(FASTA))
        assert found.sha256 == hashlib.sha256(FASTA).hexdigest()
        assert found.path.read_bytes() == FASTA


@pytest.mark.parametrize(
    ("body", "sent", "detail"),
    [
        (b"", Sent(), "no sequence found"),
        (b">a\nACGE\n", Sent(DNA), "'E' is no letter of DNA: this looks like a protein"),
        (packed(FASTA)[:-3], Sent(), "truncated gzip file"),
        (packed(FASTA)[:-8] + b"\0" * 8, Sent(), "corrupt gzip file"),
        (packed(FASTA) + b"more", Sent(), "corrupt gzip file"),
        (FASTA, Sent(packed=True), "Content-Encoding is gzip, and the body is not"),
        (packed(packed(FASTA)), Sent(), "this looks like a gzip file: unpack it first"),
        (b'{"sequence": "MKV"}', Sent(), "this looks like JSON: take the sequences out of it"),
    ],
)
def test_what_is_no_such_text_is_refused(tmp_path: Path, body: bytes, sent: Sent, detail: str) -> None:
    with coming(tmp_path / "in", sent) as incoming, pytest.raises(FastaFormatError) as caught:
        received(incoming, body)
    assert caught.value.detail == detail
    assert caught.value.file == "the upload"


def test_many_small_members_are_one_text(tmp_path: Path) -> None:
    body = 20_000 * packed(b"") + b"".join(packed(b">%d\nMKV\n" % number) for number in range(500))
    with coming(tmp_path / "in") as incoming:
        incoming.take(body)
        assert incoming.finish().checked == Checked("protein", 500, 1_500)


def test_bomb_ends_at_the_limit(tmp_path: Path) -> None:
    bomb = packed(b">a\n" + bytes(50 * PIECE).replace(b"\0", b"A"))
    limits = UploadLimits(max_upload_bytes=3 * PIECE)
    with coming(tmp_path / "in", limits=limits) as incoming:
        tracemalloc.start()
        with pytest.raises(LimitExceeded) as caught:
            incoming.take(bomb)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        [file] = (tmp_path / "in").iterdir()
        assert file.stat().st_size <= limits.max_upload_bytes
    assert (caught.value.name, caught.value.limit) == ("max_upload_bytes", limits.max_upload_bytes)
    assert caught.value.actual <= limits.max_upload_bytes + PIECE
    assert peak < 8 * PIECE


def test_long_upload_takes_no_memory(tmp_path: Path) -> None:
    block = 10_000 * (99 * b"A" + b"\n")
    with coming(tmp_path / "in") as incoming:
        incoming.take(b">a\n")
        tracemalloc.start()
        for _ in range(20):
            incoming.take(block)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert incoming.finish().checked == Checked("dna", 1, 20 * 990_000)
    assert peak < 5 * len(block)


def test_full_disk_is_told_and_nothing_remains(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    with coming(tmp_path / "in") as incoming:
        incoming.take(b">a\n")
        # No file may grow any further, as on a disk without room.
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, usual[1]))
        try:
            with pytest.raises(StorageFull, match="could not be stored"):
                incoming.take(b"A" * (2 << 20))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert "the upload cannot be kept in" in caplog.text


def test_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StorageFull):
        Incoming(tmp_path / "file" / "in", Sent(), UploadLimits())
