"""The calls of both clients that are of MSAs."""

from collections.abc import AsyncIterator, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Unpack

from shardwater_client import msas
from shardwater_client.base import AsyncBase, Partial, SyncBase
from shardwater_client.events import MSAS, follow
from shardwater_client.generated import models
from shardwater_client.msa_result import AsyncMsaResult, MsaResult
from shardwater_client.msas import MsaParameters, MsaQueries, MsaTold, MsaWish


class MsaCalls(SyncBase):
    """Those of `Client`."""

    def msa(
        self,
        queries: MsaQueries,
        *,
        databases: str | Sequence[str],
        timeout: float | None = None,
        progress: MsaTold | None = None,
        fresh: bool = False,
        **parameters: Unpack[MsaParameters],
    ) -> MsaResult:
        """Have MSAs made of what an exact search in rounds finds, and wait for them.

        `queries` is FASTA, as text or by the `pathlib.Path` of a file, each record a chain of its own; or a list: a
        string in it is a chain alone, a list of strings a complex, whose rows `pairing` pairs. `databases` are names:
        several are searched as one. After `timeout` seconds MsaTimeoutError has the `msa_id` of the job, which goes on.
        """
        job = self.submit_msa(queries, databases=databases, fresh=fresh, **parameters)
        return self.msa_result(job.id, timeout=timeout, progress=progress)

    def msa_result(self, msa_id: str, *, timeout: float | None = None, progress: MsaTold | None = None) -> MsaResult:
        """Wait for MSAs to be there."""
        return MsaResult(self._run(msas.ended(self._calls, msa_id, timeout, progress)), self)

    def submit_msa(
        self,
        queries: MsaQueries,
        *,
        databases: str | Sequence[str],
        fresh: bool = False,
        **parameters: Unpack[MsaParameters],
    ) -> models.Msas:
        """As `msa`, but do not wait: `msa_result(id)` does."""
        return self._run(msas.submit(self._calls, queries, databases, parameters, fresh=fresh))

    def estimate_msa(
        self, queries: MsaQueries, *, databases: str | Sequence[str], **parameters: Unpack[MsaParameters]
    ) -> models.MsaEstimate:
        """See what MSAs would take: they are checked, and not made."""
        return self._run(msas.estimate(self._calls, queries, databases, parameters))

    def msa_status(self, msa_id: str) -> models.Msas:
        """See how MSAs stand."""
        return self._run(msas.status(self._calls, msa_id))

    def msa_events(self, msa_id: str) -> Iterator[models.Msas]:
        """Follow MSAs: their job each time that it has changed, to its end."""
        return self._each(follow(self._calls, MSAS, msa_id))

    def msas(self, *, state: models.SearchState | None = None, page_size: int = 100) -> Iterator[models.Msas]:
        """The server's jobs of MSAs, newest first, without their chains."""
        return self._each(msas.listed(self._calls, state, page_size))

    def cancel_msa(self, msa_id: str) -> models.Msas:
        """Stop MSAs; raises AlreadyFinishedError if their job has ended otherwise."""
        return self._run(msas.cancel(self._calls, msa_id))

    def delete_msa(self, msa_id: str) -> None:
        """Remove MSAs; those that are being made are given up."""
        self._run(msas.delete(self._calls, msa_id))

    def download_msa(
        self,
        msa_id: str,
        *,
        format: models.MsaFormat = "a3m",
        chain: int | None = None,
        of: models.MsaDatabases = "databases",
        pairs: bool = False,
    ) -> bytes:
        """The MSA of a chain, by its number from 1, or of the only one.

        Those of several chains: a tar archive (gzip) with a file for each, or as `json` a line for each. `of="then"`:
        by the second list of databases. `pairs`: only rows that are paired.
        """
        return self._run(msas.download(self._calls, msa_id, MsaWish(format, chain, of, pairs)))

    def save_msa(
        self,
        msa_id: str,
        path: str | PathLike[str],
        *,
        format: models.MsaFormat = "a3m",
        chain: int | None = None,
        of: models.MsaDatabases = "databases",
        pairs: bool = False,
    ) -> None:
        """As `download_msa`, into a file, which is there when it is whole."""
        with Partial(Path(path)) as file:
            for piece in self._each(msas.pieces(self._calls, msa_id, MsaWish(format, chain, of, pairs))):
                file.write(piece)

    def msa_columns(
        self, msa_id: str, *, chain: int = 1, of: models.MsaDatabases = "databases", pairs: bool = False
    ) -> models.MsaColumns:
        """What each column of a chain's MSA has: letters, those of the query, and how varied they are."""
        return self._run(msas.columns(self._calls, msa_id, MsaWish(chain=chain, of=of, pairs=pairs)))


class AsyncMsaCalls(AsyncBase):
    """Those of `AsyncClient`."""

    async def msa(
        self,
        queries: MsaQueries,
        *,
        databases: str | Sequence[str],
        timeout: float | None = None,
        progress: MsaTold | None = None,
        fresh: bool = False,
        **parameters: Unpack[MsaParameters],
    ) -> AsyncMsaResult:
        """As `Client.msa`."""
        job = await self.submit_msa(queries, databases=databases, fresh=fresh, **parameters)
        return await self.msa_result(job.id, timeout=timeout, progress=progress)

    async def msa_result(
        self, msa_id: str, *, timeout: float | None = None, progress: MsaTold | None = None
    ) -> AsyncMsaResult:
        """As `Client.msa_result`."""
        return AsyncMsaResult(await self._run(msas.ended(self._calls, msa_id, timeout, progress)), self)

    async def submit_msa(
        self,
        queries: MsaQueries,
        *,
        databases: str | Sequence[str],
        fresh: bool = False,
        **parameters: Unpack[MsaParameters],
    ) -> models.Msas:
        """As `Client.submit_msa`."""
        return await self._run(msas.submit(self._calls, queries, databases, parameters, fresh=fresh))

    async def estimate_msa(
        self, queries: MsaQueries, *, databases: str | Sequence[str], **parameters: Unpack[MsaParameters]
    ) -> models.MsaEstimate:
        """As `Client.estimate_msa`."""
        return await self._run(msas.estimate(self._calls, queries, databases, parameters))

    async def msa_status(self, msa_id: str) -> models.Msas:
        """As `Client.msa_status`."""
        return await self._run(msas.status(self._calls, msa_id))

    def msa_events(self, msa_id: str) -> AsyncIterator[models.Msas]:
        """As `Client.msa_events`."""
        return self._each(follow(self._calls, MSAS, msa_id))

    def msas(self, *, state: models.SearchState | None = None, page_size: int = 100) -> AsyncIterator[models.Msas]:
        """As `Client.msas`."""
        return self._each(msas.listed(self._calls, state, page_size))

    async def cancel_msa(self, msa_id: str) -> models.Msas:
        """As `Client.cancel_msa`."""
        return await self._run(msas.cancel(self._calls, msa_id))

    async def delete_msa(self, msa_id: str) -> None:
        """As `Client.delete_msa`."""
        await self._run(msas.delete(self._calls, msa_id))

    async def download_msa(
        self,
        msa_id: str,
        *,
        format: models.MsaFormat = "a3m",
        chain: int | None = None,
        of: models.MsaDatabases = "databases",
        pairs: bool = False,
    ) -> bytes:
        """As `Client.download_msa`."""
        return await self._run(msas.download(self._calls, msa_id, MsaWish(format, chain, of, pairs)))

    async def save_msa(
        self,
        msa_id: str,
        path: str | PathLike[str],
        *,
        format: models.MsaFormat = "a3m",
        chain: int | None = None,
        of: models.MsaDatabases = "databases",
        pairs: bool = False,
    ) -> None:
        """As `Client.save_msa`."""
        with Partial(Path(path)) as file:
            async for piece in self._each(msas.pieces(self._calls, msa_id, MsaWish(format, chain, of, pairs))):
                file.write(piece)

    async def msa_columns(
        self, msa_id: str, *, chain: int = 1, of: models.MsaDatabases = "databases", pairs: bool = False
    ) -> models.MsaColumns:
        """As `Client.msa_columns`."""
        return await self._run(msas.columns(self._calls, msa_id, MsaWish(chain=chain, of=of, pairs=pairs)))
