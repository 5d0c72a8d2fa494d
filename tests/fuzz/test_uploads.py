"""Uploads of any bytes, however they come: kept whole or refused with a reason, and nothing else ever happens."""

import gzip
import hashlib
import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from shardwater.errors import FastaFormatError, LimitExceeded
from shardwater.sequences.alphabets import DNA, PROTEIN
from tests.fuzz.cases import cases
from worker.uploads.incoming import Incoming, Sent
from worker.uploads.limits import UploadLimits

RECORDS = st.sampled_from([b">a\nMKV\n", b">b\r\nACGT\r\n", b"@r\nACGT\n+\nIIII\n", b"\n", b"+\n", b">", b"@"])
TEXTS = st.lists(st.one_of(RECORDS, st.binary(max_size=8)), max_size=12).map(b"".join)
LIMITS = UploadLimits(max_upload_records=8, max_upload_letters=20, max_upload_bytes=150)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Text, or gzip of it in one or more members, perhaps with a piece missing or a byte changed."""
    body = bytearray(draw(TEXTS))
    if draw(st.booleans()):
        body = bytearray(b"".join(gzip.compress(part) for part in (body, draw(TEXTS))))
    if body and draw(st.booleans()):
        at = draw(st.integers(0, len(body) - 1))
        body[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=2))
    return bytes(body)


@cases(400)
@given(bodies(), st.integers(1, 40), st.booleans(), st.sampled_from([None, DNA, PROTEIN]))
@example(gzip.compress(b">a\n" + b"A" * 10**6), 40, False, None)
def test_any_bytes_are_kept_whole_or_refused(body: bytes, step: int, packed: bool, alphabet: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        incoming = Incoming(Path(folder), Sent(alphabet, packed), LIMITS)  # type: ignore[arg-type]
        # The first piece tells what it is.
        ends = [*range(max(step, 20), len(body), step), len(body)]
        try:
            for begin, end in zip([0, *ends[:-1]], ends, strict=True):
                incoming.take(body[begin:end])
            received = incoming.finish()
            text = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
            assert received.path.read_bytes() == text
            assert (received.bytes, received.sha256) == (len(text), hashlib.sha256(text).hexdigest())
        except (FastaFormatError, LimitExceeded):
            pass
        finally:
            incoming.discard()
        assert list(Path(folder).iterdir()) == []
