"""What a ticket is exchanged for: a tar.gz with the files that ColabFold's server makes, written while it is sent.

Clients wait 6 s for the first byte and for each that follows, then they ask anew. In a tar a file's length comes before
it, so a file is written twice: for its length, while empty members of gzip show that we are at it, and as it is sent.
Were it kept meanwhile, clients that read slowly could fill the disk.
"""

import gzip
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

import numpy as np
from fastapi import Response

from app.compat.colabfold.tickets import Ticket
from app.problems import NotHereError
from app.responses.ended_msas import EndedMsas
from app.responses.written import Begun
from app.service import Service
from shardwater.formats.chunks import in_chunks
from shardwater.formats.msas.colabfold import END, write_block, write_paired
from shardwater.msa.msa import Msa
from shardwater.msa.pairing import NOBODY, PairingName, pairs_of
from shardwater.msa.texts import Numbers
from worker.jobs.states import SearchNotFound

PIECE = 1 << 20
"""Bytes of a file that are packed together."""
MOST_PAIRED_EVALUE = 1e-3
"""The largest E-value of a row that is paired, as on ColabFold's server."""

_EMPTY = gzip.compress(b"", 1, mtime=0)

File = tuple[str, Callable[[], Iterator[str | bytes]]]
"""A name, and what writes the content: the same each time."""


async def archive(service: Service, ticket: str, files: Callable[[], Iterable[File]]) -> Response:
    """The files of a ticket; raises what `files` does, and what is wrong with the first one."""
    account = service.msas.caller.account
    return await service.writers.reply(account, lambda: _begun(ticket, files))


def _begun(ticket: str, files: Callable[[], Iterable[File]]) -> Begun:
    chunks = packed(files())
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Type": "application/octet-stream",
        "Content-Disposition": f'attachment; filename="mmseqs_results_{ticket}.tar.gz"',
    }
    # What is wrong with the first file is answered by a problem; what comes later breaks the connection.
    return Begun(headers, chain((next(chunks),), chunks))


def msa_files(service: Service, ticket: Ticket) -> Iterator[File]:
    """The files of MSAs that are done. Raises NotHereError, and what EndedMsas.of does besides."""
    try:
        ended = EndedMsas.of(service, ticket.msas)
    except SearchNotFound:
        raise NotHereError("no such ticket") from None
    return _files(ended, ticket)


def _files(ended: EndedMsas, ticket: Ticket) -> Iterator[File]:
    if ended.asked.pairing != "none":
        yield "pair.a3m", partial(_pairs, ended, _rows_of_pairs(ended, ended.asked.pairing))
        return
    yield "uniref.a3m", partial(_blocks, ended, 0)
    if ticket.env:
        write = partial(_blocks, ended, 1) if ended.asked.then else partial(_empty_blocks, ended)
        yield "bfd.mgnify30.metaeuk30.smag30.a3m", write
    if ticket.templates:
        yield "pdb70.m8", lambda: iter(())


def _blocks(ended: EndedMsas, stage: int) -> Iterator[bytes]:
    return chain.from_iterable(map(write_block, ended.each(stage)))


def _empty_blocks(ended: EndedMsas) -> Iterator[bytes]:
    """The queries alone, where no database stands for the second one."""
    return chain.from_iterable(write_block(msa.take([])) for msa in ended.each(0))


def _pairs(ended: EndedMsas, rows_of_pairs: Sequence[Numbers]) -> Iterator[bytes]:
    for msa, rows in zip(ended.each(0), rows_of_pairs, strict=True):
        yield from write_paired(msa, rows)
        yield END


def paired_rows(ended: EndedMsas) -> Iterator[tuple[Msa, Numbers]]:
    """Each chain's MSA with the numbers of its rows of pairs, of those that may be paired; NOBODY as in pairs_of.

    MSAs are opened one after the other, since those of all chains may be more than fits into memory.
    """
    assert ended.asked.pairing != "none"
    return zip(ended.each(0), _rows_of_pairs(ended, ended.asked.pairing), strict=True)


def _rows_of_pairs(ended: EndedMsas, pairing: PairingName) -> list[Numbers]:
    numbers, taxids = list[Numbers](), list[list[int]]()
    for msa in ended.each(0):
        numbers.append(_may_pair(msa))
        taxids.append(msa.figures["taxid"][numbers[-1]].tolist())
    pairs = pairs_of(taxids, pairing)
    return [np.append(rows, NOBODY)[chosen] for rows, chosen in zip(numbers, pairs.T, strict=True)]


def _may_pair(msa: Msa) -> Numbers:
    """The rows that cover half of their subject at least, with such E-values: what is in a pair should be the protein
    itself, and not another one that shares a domain with it.
    """
    figures = msa.figures
    covered = figures["subject_end"] - figures["subject_start"]
    return np.flatnonzero((2 * covered >= figures["length"]) & (figures["evalue"] <= MOST_PAIRED_EVALUE))


def packed(files: Iterable[File]) -> Iterator[bytes]:
    """Files by their names as a tar archive in members of gzip, some of them empty."""
    for name, write in files:
        told = tarfile.TarInfo(name)
        for chunk in in_chunks(write()):
            told.size += len(chunk)
            yield _EMPTY
        yield _member(told.tobuf())
        yield from map(_member, in_chunks(write(), PIECE))
        yield _member(bytes(-told.size % tarfile.BLOCKSIZE))
    yield _member(bytes(2 * tarfile.BLOCKSIZE))


def _member(content: bytes) -> bytes:
    return gzip.compress(content, 1, mtime=0)
