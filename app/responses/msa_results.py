"""MSAs in their formats, written as they are sent: one chain's, or all of them as an archive or as lines of JSON."""

import gzip
import io
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from fastapi import Response
from fastapi.responses import StreamingResponse

from app.problems import InvalidParameterError, NotHereError
from app.responses.ended_msas import EndedMsas
from app.responses.file_names import file_name
from app.responses.written import Begun
from app.service import Service
from shardwater.formats.chunks import in_chunks
from shardwater.formats.file_names import safe
from shardwater.formats.msas.writers import MSA_FORMATS, MsaFormatName
from shardwater.msa.msa import Msa

FORMATS = {each.media_type: name for name, each in MSA_FORMATS.items()}
"""By the media types that `Accept` may name."""
ARCHIVE, LINES = "application/gzip", "application/x-ndjson"
MOST_KEPT = 1 << 22
"""Bytes of a file of an archive that are kept until its length is known."""
CONTENT: dict[str, Any] = {
    **{media_type: {"schema": {"type": "string"}} for media_type in (*FORMATS, LINES)},
    MSA_FORMATS["json"].media_type: {"schema": {"type": "object"}},
    ARCHIVE: {"schema": {"type": "string", "format": "binary"}},
}
"""What a reply's content is to the interface's description.

A3M is first: whoever generates a client takes the first, and that is what comes where nothing else is asked for.
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How MSAs are to be written: of which chain, from 1, or all; of which list of databases, from 0; or its pairs."""

    form: MsaFormatName = "a3m"
    chain: int | None = None
    stage: int = 0
    pairs: bool = False

    def one(self, ended: EndedMsas) -> int | None:
        """The only chain that is written; None where all are. Raises InvalidParameterError and NotHereError."""
        if self.pairs and self.stage:
            raise InvalidParameterError("pairs", "rows of `databases` alone are paired")
        if self.pairs and ended.asked.pairing == "none":
            raise NotHereError("no rows were to be paired: ask for MSAs with pairing")
        if self.stage and not ended.asked.then:
            raise NotHereError("no more databases were to be searched with what was found: ask for MSAs with then")
        if self.chain is not None:
            ended.chain(self.chain)
        return self.chain or (1 if len(ended.chains) == 1 else None)

    def msas(self, ended: EndedMsas, one: int | None) -> Iterator[Msa]:
        """What is written, one after the other; raises DamagedJob."""
        if one is not None:
            return iter([ended.pairs(one) if self.pairs else ended.msa(one, self.stage)])
        return ended.each_paired() if self.pairs else ended.each(self.stage)

    def media_type(self, one: int | None) -> str:
        """That of the reply."""
        if one is not None:
            return MSA_FORMATS[self.form].media_type
        return LINES if self.form == "json" else ARCHIVE


async def whole_result(service: Service, job: str, wanted: Wanted) -> Response:
    """The MSAs of a job that has succeeded.

    Raises what JobStore.packed_result does, DamagedJob where files are not what they were, NotHereError and
    InvalidParameterError.
    """
    account = service.msas.caller.account
    return await service.writers.reply(account, lambda: _begun(service, job, wanted))


def head_of_result(service: Service, job: str, wanted: Wanted) -> StreamingResponse:
    """The headers of the same, of which nothing is read: its length is not known before it is written."""
    ended = EndedMsas.of(service, job)
    return StreamingResponse((), headers=_headers(service, ended, wanted, wanted.one(ended)))


def _begun(service: Service, job: str, wanted: Wanted) -> Begun:
    ended = EndedMsas.of(service, job)
    one = wanted.one(ended)
    msas, form = wanted.msas(ended, one), MSA_FORMATS[wanted.form]
    if one is not None:
        chunks = in_chunks(form.write(next(msas)))
    elif wanted.form == "json":
        chunks = in_chunks(_lines(msas))
    else:
        names = (f"{number}.{safe(record.id)}{form.ending}" for number, record in enumerate(ended.chains, start=1))
        texts = (partial(form.write, msa) for msa in msas)
        chunks = in_chunks(archive(zip(names, texts, strict=True)))
    # What is wrong with these is answered by a problem; what comes later breaks the connection.
    return Begun(_headers(service, ended, wanted, one), chain((next(chunks, b""),), chunks))


def _headers(service: Service, ended: EndedMsas, wanted: Wanted, one: int | None) -> dict[str, str]:
    whose = "" if one is None else f"{one}.{ended.chains[one - 1].id}"
    called = file_name(service.msas.state(ended.id).title, ended.id, whose)
    of = ".pairs" if wanted.pairs else ".then" if wanted.stage else ""
    ending = MSA_FORMATS[wanted.form].ending if one is not None else (".ndjson" if wanted.form == "json" else ".tar.gz")
    return {
        "Cache-Control": "private, no-cache",
        "Content-Type": wanted.media_type(one),
        "Content-Disposition": f'attachment; filename="{called}{of}{ending}"',
    }


def _lines(msas: Iterator[Msa]) -> Iterator[bytes]:
    """A line for each chain."""
    for msa in msas:
        yield from (piece.replace(b"\n", b"") for piece in MSA_FORMATS["json"].write(msa))
        yield b"\n"


def archive(files: Iterable[tuple[str, Callable[[], Iterator[bytes]]]]) -> Iterator[bytes]:
    """Files by their names, with what writes each, as a tar archive packed as gzip: in pieces, which may be empty."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=1, mtime=0) as whole:
        for piece in in_chunks(_tar(files)):
            whole.write(piece)
            yield _taken(packed)
    yield _taken(packed)


def _tar(files: Iterable[tuple[str, Callable[[], Iterator[bytes]]]]) -> Iterator[bytes]:
    """A file's length comes before it. What is too long to be kept meanwhile is written twice."""
    end = 0
    for name, write in files:
        told, kept = tarfile.TarInfo(name), list[bytes]()
        for piece in write():
            told.size += len(piece)
            kept.append(piece)
            if told.size > MOST_KEPT:
                kept.clear()
        told.mode = 0o644
        head, filling = told.tobuf(tarfile.PAX_FORMAT), bytes(-told.size % tarfile.BLOCKSIZE)
        yield head
        yield from kept if told.size <= MOST_KEPT else write()
        yield filling
        end += len(head) + told.size + len(filling)
    closing = 2 * tarfile.BLOCKSIZE
    yield bytes(closing + -(end + closing) % tarfile.RECORDSIZE)


def _taken(packed: io.BytesIO) -> bytes:
    content = packed.getvalue()
    packed.seek(0)
    packed.truncate()
    return content
