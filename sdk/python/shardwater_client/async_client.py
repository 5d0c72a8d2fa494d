"""The client for asyncio: the methods of `Client` under the same names."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Unpack

from shardwater_client import comparisons, pairs
from shardwater_client.base import Partial
from shardwater_client.calls import Progress
from shardwater_client.comparisons import ComparisonParameters, Picture, Stretch, StretchParameters, Told
from shardwater_client.events import ALIGNMENT, COMPARISON, SEARCH, follow
from shardwater_client.generated import models
from shardwater_client.msa_client import AsyncMsaCalls
from shardwater_client.pairs import AlignmentParameters
from shardwater_client.parameters import SearchParameters, search_request
from shardwater_client.result import AsyncResult, FinishedVerification
from shardwater_client.sources import Sequences, send_matrix, upload
from shardwater_client.wishes import PssmWish, ScoreWish, Wish


class AsyncClient(AsyncMsaCalls):
    """`Client` for asyncio: what that returns is awaited here, and what it iterates over is iterated with `async for`.

    Any number of calls may run at once.
    """

    async def search(
        self,
        fasta: str | PathLike[str] | None = None,
        *,
        database: str | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
        fresh: bool = False,
        **parameters: Unpack[SearchParameters],
    ) -> AsyncResult:
        """As `Client.search`."""
        body = search_request(fasta, database, parameters)
        return self._result(await self._run(self._calls.search(body, timeout, progress, fresh=fresh)))

    async def submit(
        self,
        fasta: str | PathLike[str] | None = None,
        *,
        database: str | None = None,
        fresh: bool = False,
        **parameters: Unpack[SearchParameters],
    ) -> models.Search:
        """As `Client.submit`."""
        return await self._run(self._calls.submit(search_request(fasta, database, parameters), fresh=fresh))

    async def result(
        self, search_id: str, *, timeout: float | None = None, progress: Progress | None = None
    ) -> AsyncResult:
        """As `Client.result`."""
        return self._result(await self._run(self._calls.result(search_id, timeout, progress)))

    async def verify(
        self, search_id: str, *, sample: int | None = None, timeout: float | None = None
    ) -> FinishedVerification:
        """As `Client.verify`."""
        return await self._run(self._calls.verify(search_id, sample, timeout))

    async def status(self, search_id: str) -> models.Search:
        """As `Client.status`."""
        return await self._run(self._calls.status(search_id))

    async def request(self, search_id: str) -> models.SearchRequest:
        """As `Client.request`."""
        return await self._run(self._calls.request(search_id))

    def events(self, search_id: str) -> AsyncIterator[models.Search]:
        """As `Client.events`."""
        return self._each(follow(self._calls, SEARCH, search_id))

    async def cancel(self, search_id: str) -> models.Search:
        """As `Client.cancel`."""
        return await self._run(self._calls.cancel(search_id))

    async def delete(self, search_id: str) -> None:
        """As `Client.delete`."""
        await self._run(self._calls.delete(search_id))

    def searches(
        self,
        *,
        ids: Sequence[str] | None = None,
        state: models.SearchState | None = None,
        created_after: datetime | None = None,
        page_size: int = 100,
    ) -> AsyncIterator[models.Search]:
        """As `Client.searches`."""
        return self._each(self._calls.searches(ids, state, created_after, page_size))

    def hits(self, search_id: str, *, query: int | None = None, page_size: int = 1000) -> AsyncIterator[models.Hit]:
        """As `Client.hits`."""
        return self._each(self._calls.hits(search_id, query, page_size))

    async def download(
        self,
        search_id: str,
        *,
        format: models.ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> bytes:
        """As `Client.download`."""
        return await self._run(self._calls.download(search_id, Wish(format, columns, query)))

    async def save(
        self,
        search_id: str,
        path: str | PathLike[str],
        *,
        format: models.ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> None:
        """As `Client.save`."""
        with Partial(Path(path)) as file:
            async for piece in self._each(self._calls.pieces(search_id, Wish(format, columns, query))):
                file.write(piece)

    async def scores(
        self,
        search_id: str,
        *,
        format: models.ScoreFormat = "tab",
        query: int | None = None,
        min_score: int = 0,
        max_evalue: float | None = None,
    ) -> bytes:
        """As `Client.scores`."""
        return await self._run(self._calls.download(search_id, ScoreWish(format, query, min_score, max_evalue)))

    async def save_scores(
        self,
        search_id: str,
        path: str | PathLike[str],
        *,
        format: models.ScoreFormat = "tab",
        query: int | None = None,
        min_score: int = 0,
        max_evalue: float | None = None,
    ) -> None:
        """As `Client.save_scores`."""
        with Partial(Path(path)) as file:
            wish = ScoreWish(format, query, min_score, max_evalue)
            async for piece in self._each(self._calls.pieces(search_id, wish)):
                file.write(piece)

    async def pssm(
        self, search_id: str, *, query: int = 1, format: models.PssmFormat = "asn1", hits: str | None = None
    ) -> str:
        """As `Client.pssm`."""
        return (await self._run(self._calls.download(search_id, PssmWish(format, query, hits)))).decode()

    async def save_pssm(
        self,
        search_id: str,
        path: str | PathLike[str],
        *,
        query: int = 1,
        format: models.PssmFormat = "asn1",
        hits: str | None = None,
    ) -> None:
        """As `Client.save_pssm`."""
        with Partial(Path(path)) as file:
            async for piece in self._each(self._calls.pieces(search_id, PssmWish(format, query, hits))):
                file.write(piece)

    async def taxa(self, search_id: str, *, query: int | None = None) -> models.HitTaxonList:
        """As `Client.taxa`."""
        return await self._run(self._calls.taxa(search_id, query))

    async def estimate(
        self,
        fasta: str | PathLike[str] | None = None,
        *,
        database: str | None = None,
        **parameters: Unpack[SearchParameters],
    ) -> models.SearchEstimate:
        """As `Client.estimate`."""
        return await self._run(self._calls.estimate(search_request(fasta, database, parameters)))

    async def upload(self, path: str | PathLike[str]) -> str:
        """As `Client.upload`."""
        return await self._run(upload(self._calls, Path(path)))

    async def matrix(self, path: str | PathLike[str]) -> str:
        """As `Client.matrix`."""
        return await self._run(send_matrix(self._calls, Path(path)))

    def align(
        self,
        queries: Sequences,
        subjects: Sequences,
        *,
        fresh: bool = False,
        **parameters: Unpack[AlignmentParameters],
    ) -> AsyncIterator[models.AlignedPair]:
        """As `Client.align`."""
        return self._each(pairs.align(self._calls, queries, subjects, parameters, fresh=fresh))

    async def submit_alignment(
        self,
        queries: Sequences,
        subjects: Sequences,
        *,
        fresh: bool = False,
        **parameters: Unpack[AlignmentParameters],
    ) -> models.Alignment:
        """As `Client.submit_alignment`."""
        return await self._run(pairs.submit(self._calls, queries, subjects, parameters, fresh=fresh))

    def aligned(self, alignment_id: str) -> AsyncIterator[models.AlignedPair]:
        """As `Client.aligned`."""
        return self._each(pairs.aligned(self._calls, alignment_id))

    async def alignment(self, alignment_id: str) -> models.Alignment:
        """As `Client.alignment`."""
        return await self._run(pairs.status(self._calls, alignment_id))

    def alignment_events(self, alignment_id: str) -> AsyncIterator[models.Alignment]:
        """As `Client.alignment_events`."""
        return self._each(follow(self._calls, ALIGNMENT, alignment_id))

    async def cancel_alignment(self, alignment_id: str) -> models.Alignment:
        """As `Client.cancel_alignment`."""
        return await self._run(pairs.cancel(self._calls, alignment_id))

    async def delete_alignment(self, alignment_id: str) -> None:
        """As `Client.delete_alignment`."""
        await self._run(pairs.delete(self._calls, alignment_id))

    async def download_alignment(
        self, alignment_id: str, *, format: models.PairFormat = "tab", columns: Sequence[str] = ()
    ) -> bytes:
        """As `Client.download_alignment`."""
        return await self._run(pairs.download(self._calls, alignment_id, format, columns))

    async def estimate_alignment(
        self, queries: Sequences, subjects: Sequences, **parameters: Unpack[AlignmentParameters]
    ) -> models.AlignmentEstimate:
        """As `Client.estimate_alignment`."""
        return await self._run(pairs.estimate(self._calls, queries, subjects, parameters))

    async def compare(
        self,
        query: Sequences,
        subject: Sequences,
        *,
        timeout: float | None = None,
        progress: Told | None = None,
        fresh: bool = False,
        **parameters: Unpack[ComparisonParameters],
    ) -> models.Comparison:
        """As `Client.compare`."""
        job = await self.submit_comparison(query, subject, fresh=fresh, **parameters)
        return await self.compared(job.id, timeout=timeout, progress=progress)

    async def submit_comparison(
        self, query: Sequences, subject: Sequences, *, fresh: bool = False, **parameters: Unpack[ComparisonParameters]
    ) -> models.Comparison:
        """As `Client.submit_comparison`."""
        return await self._run(comparisons.submit(self._calls, query, subject, parameters, fresh=fresh))

    async def compared(
        self, comparison_id: str, *, timeout: float | None = None, progress: Told | None = None
    ) -> models.Comparison:
        """As `Client.compared`."""
        return await self._run(comparisons.compared(self._calls, comparison_id, timeout, progress))

    async def comparison(self, comparison_id: str) -> models.Comparison:
        """As `Client.comparison`."""
        return await self._run(comparisons.status(self._calls, comparison_id))

    def comparison_events(self, comparison_id: str) -> AsyncIterator[models.Comparison]:
        """As `Client.comparison_events`."""
        return self._each(follow(self._calls, COMPARISON, comparison_id))

    async def cancel_comparison(self, comparison_id: str) -> models.Comparison:
        """As `Client.cancel_comparison`."""
        return await self._run(comparisons.cancel(self._calls, comparison_id))

    async def delete_comparison(self, comparison_id: str) -> None:
        """As `Client.delete_comparison`."""
        await self._run(comparisons.delete(self._calls, comparison_id))

    async def estimate_comparison(
        self, query: Sequences, subject: Sequences, **parameters: Unpack[ComparisonParameters]
    ) -> models.ComparisonEstimate:
        """As `Client.estimate_comparison`."""
        return await self._run(comparisons.estimate(self._calls, query, subject, parameters))

    def align_stretches(
        self, comparison_id: str, query: Stretch, subject: Stretch, **parameters: Unpack[StretchParameters]
    ) -> AsyncIterator[models.AlignedPair]:
        """As `Client.align_stretches`."""
        return self._each(comparisons.align(self._calls, comparison_id, query, subject, parameters))

    def hsps(self, comparison_id: str) -> AsyncIterator[models.GenomeHsp]:
        """As `Client.hsps`."""
        return self._each(comparisons.hsps(self._calls, comparison_id))

    async def save_hsps(
        self,
        comparison_id: str,
        path: str | PathLike[str],
        *,
        format: models.ComparisonFormat = "tab",
        columns: Sequence[str] = (),
    ) -> None:
        """As `Client.save_hsps`."""
        with Partial(Path(path)) as file:
            async for piece in self._each(comparisons.pieces(self._calls, comparison_id, format, columns)):
                file.write(piece)

    async def dot_plot(self, comparison_id: str, *, format: Picture = "svg", width: int = 1000) -> bytes:
        """As `Client.dot_plot`."""
        return await self._run(comparisons.dot_plot(self._calls, comparison_id, format, width))

    async def databases(self) -> list[models.DatabaseInfo]:
        """As `Client.databases`."""
        return await self._run(self._calls.databases())

    async def database(self, name: str) -> models.DatabaseInfo:
        """As `Client.database`."""
        return await self._run(self._calls.database(name))

    async def sequence(self, database: str, accession: str) -> models.Sequence:
        """As `Client.sequence`."""
        return await self._run(self._calls.sequence(database, accession))

    async def sequences(self, database: str, accessions: Sequence[str]) -> list[models.Sequence]:
        """As `Client.sequences`."""
        return await self._run(self._calls.sequences(database, accessions))

    async def service_info(self) -> models.ServiceInfo:
        """As `Client.service_info`."""
        return await self._run(self._calls.service_info())

    async def parameters(self) -> models.ParameterList:
        """As `Client.parameters`."""
        return await self._run(self._calls.parameters())

    def _result(self, data: models.SearchResult) -> AsyncResult:
        return AsyncResult(data, self)
