"""The client."""

from collections.abc import Iterator, Sequence
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
from shardwater_client.msa_client import MsaCalls
from shardwater_client.pairs import AlignmentParameters
from shardwater_client.parameters import SearchParameters, search_request
from shardwater_client.result import FinishedVerification, Result
from shardwater_client.sources import Sequences, send_matrix, upload
from shardwater_client.wishes import PssmWish, ScoreWish, Wish


class Client(MsaCalls):
    """A Shardwater server, at `base_url` (which may have a path), with an API key where it wants one.

    A request is tried again for `patience` seconds while the server cannot be reached or is busy. Threads may share a
    client. Close it, or use it in a `with` statement. Every method raises a ShardwaterError if it fails.
    """

    def search(
        self,
        fasta: str | PathLike[str] | None = None,
        *,
        database: str | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
        fresh: bool = False,
        **parameters: Unpack[SearchParameters],
    ) -> Result:
        """Search a database with one or many protein queries, and wait for the result.

        `databases=["a", "b"]` in place of `database` searches several as if one held all their sequences.
        `fasta` is FASTA text or a bare sequence; a file is given by its `pathlib.Path`. With `pssm`, a profile, there
        is none. After `timeout` seconds SearchTimeoutError has the id of the search, which goes on. `progress` is
        called with the search about every second. `fresh` runs it anew even if an equal one has been answered.
        """
        body = search_request(fasta, database, parameters)
        return self._result(self._run(self._calls.search(body, timeout, progress, fresh=fresh)))

    def submit(
        self,
        fasta: str | PathLike[str] | None = None,
        *,
        database: str | None = None,
        fresh: bool = False,
        **parameters: Unpack[SearchParameters],
    ) -> models.Search:
        """As `search`, but do not wait: `result(id)` does."""
        return self._run(self._calls.submit(search_request(fasta, database, parameters), fresh=fresh))

    def result(self, search_id: str, *, timeout: float | None = None, progress: Progress | None = None) -> Result:
        """Wait for a search to end, and get its result."""
        return self._result(self._run(self._calls.result(search_id, timeout, progress)))

    def verify(
        self, search_id: str, *, sample: int | None = None, timeout: float | None = None
    ) -> FinishedVerification:
        """Have the server compute a finished search again and compare every value, and wait for what it finds.

        With `sample` it scores the hits and so many other subjects with another program. `report.equal` tells whether
        all is equal, `report.differences` has the first of what is not. After `timeout` seconds
        VerificationTimeoutError has the id of the verification, which goes on.
        """
        return self._run(self._calls.verify(search_id, sample, timeout))

    def status(self, search_id: str) -> models.Search:
        """See how a search stands."""
        return self._run(self._calls.status(search_id))

    def request(self, search_id: str) -> models.SearchRequest:
        """The request of a search as it was sent, queries included."""
        return self._run(self._calls.request(search_id))

    def events(self, search_id: str) -> Iterator[models.Search]:
        """Follow a search: itself each time that it has changed, to its end. The server tells, nobody asks."""
        return self._each(follow(self._calls, SEARCH, search_id))

    def cancel(self, search_id: str) -> models.Search:
        """Stop a search; raises AlreadyFinishedError if it has ended otherwise."""
        return self._run(self._calls.cancel(search_id))

    def delete(self, search_id: str) -> None:
        """Remove a search with its queries and its result; a running one stops."""
        self._run(self._calls.delete(search_id))

    def searches(
        self,
        *,
        ids: Sequence[str] | None = None,
        state: models.SearchState | None = None,
        created_after: datetime | None = None,
        page_size: int = 100,
    ) -> Iterator[models.Search]:
        """The server's searches, newest first; or those with certain ids, in their order."""
        return self._each(self._calls.searches(ids, state, created_after, page_size))

    def hits(self, search_id: str, *, query: int | None = None, page_size: int = 1000) -> Iterator[models.Hit]:
        """A query's hits, best first, a page at a time: for results that are not to be held in memory whole.

        `query` is the query's number from 1; it may be left out if there is no other.
        """
        return self._each(self._calls.hits(search_id, query, page_size))

    def download(
        self,
        search_id: str,
        *,
        format: models.ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> bytes:
        """A result in one of its formats; `columns` are those of a table, `query` one query's number, from 1."""
        return self._run(self._calls.download(search_id, Wish(format, columns, query)))

    def save(
        self,
        search_id: str,
        path: str | PathLike[str],
        *,
        format: models.ResultFormat = "tab",
        columns: Sequence[str] = (),
        query: int | None = None,
    ) -> None:
        """As `download`, into a file, which is there when it is whole."""
        with Partial(Path(path)) as file:
            for piece in self._each(self._calls.pieces(search_id, Wish(format, columns, query))):
                file.write(piece)

    def scores(
        self,
        search_id: str,
        *,
        format: models.ScoreFormat = "tab",
        query: int | None = None,
        min_score: int = 0,
        max_evalue: float | None = None,
    ) -> bytes:
        """The score of every subject in the order of the database, of a search with scores="all" that has succeeded.

        `tab` and `parquet` are tables with E-values; both thresholds leave subjects out of them. `raw` is int32,
        little-endian, one for each subject of each query. `query` is one query's number, from 1.
        """
        return self._run(self._calls.download(search_id, ScoreWish(format, query, min_score, max_evalue)))

    def save_scores(
        self,
        search_id: str,
        path: str | PathLike[str],
        *,
        format: models.ScoreFormat = "tab",
        query: int | None = None,
        min_score: int = 0,
        max_evalue: float | None = None,
    ) -> None:
        """As `scores`, into a file, which is there when it is whole."""
        with Partial(Path(path)) as file:
            wish = ScoreWish(format, query, min_score, max_evalue)
            for piece in self._each(self._calls.pieces(search_id, wish)):
                file.write(piece)

    def pssm(
        self, search_id: str, *, query: int = 1, format: models.PssmFormat = "asn1", hits: str | None = None
    ) -> str:
        """The profile that the last round of a search was made with; `pssm` of another search takes it.

        `asn1` and `ascii` are PSI-BLAST's texts. `query` is the query's number, from 1. With `hits`, ranks as
        `1,5,9-12`, it is a profile of the query and these hits.
        """
        return self._run(self._calls.download(search_id, PssmWish(format, query, hits))).decode()

    def save_pssm(
        self,
        search_id: str,
        path: str | PathLike[str],
        *,
        query: int = 1,
        format: models.PssmFormat = "asn1",
        hits: str | None = None,
    ) -> None:
        """As `pssm`, into a file, which is there when it is whole."""
        with Partial(Path(path)) as file:
            for piece in self._each(self._calls.pieces(search_id, PssmWish(format, query, hits))):
                file.write(piece)

    def taxa(self, search_id: str, *, query: int | None = None) -> models.HitTaxonList:
        """The taxa of a query's hits as a tree, with how many hits each has. `query` is the query's number, from 1."""
        return self._run(self._calls.taxa(search_id, query))

    def estimate(
        self,
        fasta: str | PathLike[str] | None = None,
        *,
        database: str | None = None,
        **parameters: Unpack[SearchParameters],
    ) -> models.SearchEstimate:
        """See what a search would take: it is checked, and not run."""
        return self._run(self._calls.estimate(search_request(fasta, database, parameters)))

    def upload(self, path: str | PathLike[str]) -> str:
        """Upload a file of FASTA or FASTQ, plain or gzip, for work whose input is larger than a request; its id."""
        return self._run(upload(self._calls, Path(path)))

    def matrix(self, path: str | PathLike[str]) -> str:
        """Send a substitution matrix of your own, in NCBI's form; its id works as `matrix` of a search."""
        return self._run(send_matrix(self._calls, Path(path)))

    def align(
        self,
        queries: Sequences,
        subjects: Sequences,
        *,
        fresh: bool = False,
        **parameters: Unpack[AlignmentParameters],
    ) -> Iterator[models.AlignedPair]:
        """Align two lists of sequences, pair by pair: each pair as soon as those before it are there, in their order.

        A list is FASTA or FASTQ text; a file by its `pathlib.Path`, which is uploaded; `UploadedSequences`; or
        `DatabaseSequences`. A ShardwaterError has the `alignment_id` of the job, whose pairs `aligned` goes on with.
        """
        return self._each(pairs.align(self._calls, queries, subjects, parameters, fresh=fresh))

    def submit_alignment(
        self,
        queries: Sequences,
        subjects: Sequences,
        *,
        fresh: bool = False,
        **parameters: Unpack[AlignmentParameters],
    ) -> models.Alignment:
        """As `align`, but do not wait: `aligned(id)` has the pairs."""
        return self._run(pairs.submit(self._calls, queries, subjects, parameters, fresh=fresh))

    def aligned(self, alignment_id: str) -> Iterator[models.AlignedPair]:
        """The pairs of a job, in their order, while it is at work and after."""
        return self._each(pairs.aligned(self._calls, alignment_id))

    def alignment(self, alignment_id: str) -> models.Alignment:
        """See how a job of pairs stands; its certificate, once it has succeeded."""
        return self._run(pairs.status(self._calls, alignment_id))

    def alignment_events(self, alignment_id: str) -> Iterator[models.Alignment]:
        """Follow a job of pairs: itself each time that it has changed, to its end."""
        return self._each(follow(self._calls, ALIGNMENT, alignment_id))

    def cancel_alignment(self, alignment_id: str) -> models.Alignment:
        """Stop a job of pairs; raises AlreadyFinishedError if it has ended otherwise."""
        return self._run(pairs.cancel(self._calls, alignment_id))

    def delete_alignment(self, alignment_id: str) -> None:
        """Remove a job of pairs with its sequences and its result; a running one stops."""
        self._run(pairs.delete(self._calls, alignment_id))

    def download_alignment(
        self, alignment_id: str, *, format: models.PairFormat = "tab", columns: Sequence[str] = ()
    ) -> bytes:
        """The pairs of a job that has succeeded, in a format; `columns` are those of a table."""
        return self._run(pairs.download(self._calls, alignment_id, format, columns))

    def estimate_alignment(
        self, queries: Sequences, subjects: Sequences, **parameters: Unpack[AlignmentParameters]
    ) -> models.AlignmentEstimate:
        """See what a job of pairs would take: it is checked, and not run."""
        return self._run(pairs.estimate(self._calls, queries, subjects, parameters))

    def compare(
        self,
        query: Sequences,
        subject: Sequences,
        *,
        timeout: float | None = None,
        progress: Told | None = None,
        fresh: bool = False,
        **parameters: Unpack[ComparisonParameters],
    ) -> models.Comparison:
        """Find all stretches that two genomes share, and wait for it: the comparison, with its summary.

        A genome is what a list is in `align`. `hsps`, `save_hsps` and `dot_plot` have its list. After `timeout` seconds
        ComparisonTimeoutError has the `comparison_id` of the job, which goes on.
        """
        job = self.submit_comparison(query, subject, fresh=fresh, **parameters)
        return self.compared(job.id, timeout=timeout, progress=progress)

    def submit_comparison(
        self, query: Sequences, subject: Sequences, *, fresh: bool = False, **parameters: Unpack[ComparisonParameters]
    ) -> models.Comparison:
        """As `compare`, but do not wait: `compared(id)` does."""
        return self._run(comparisons.submit(self._calls, query, subject, parameters, fresh=fresh))

    def compared(
        self, comparison_id: str, *, timeout: float | None = None, progress: Told | None = None
    ) -> models.Comparison:
        """Wait for a comparison to succeed."""
        return self._run(comparisons.compared(self._calls, comparison_id, timeout, progress))

    def comparison(self, comparison_id: str) -> models.Comparison:
        """See how a comparison stands; its summary, once it has succeeded."""
        return self._run(comparisons.status(self._calls, comparison_id))

    def comparison_events(self, comparison_id: str) -> Iterator[models.Comparison]:
        """Follow a comparison: itself each time that it has changed, to its end."""
        return self._each(follow(self._calls, COMPARISON, comparison_id))

    def cancel_comparison(self, comparison_id: str) -> models.Comparison:
        """Stop a comparison; raises AlreadyFinishedError if it has ended otherwise."""
        return self._run(comparisons.cancel(self._calls, comparison_id))

    def delete_comparison(self, comparison_id: str) -> None:
        """Remove a comparison with its genomes and its result; a running one stops."""
        self._run(comparisons.delete(self._calls, comparison_id))

    def estimate_comparison(
        self, query: Sequences, subject: Sequences, **parameters: Unpack[ComparisonParameters]
    ) -> models.ComparisonEstimate:
        """See what a comparison would take: it is checked, and not run."""
        return self._run(comparisons.estimate(self._calls, query, subject, parameters))

    def align_stretches(
        self, comparison_id: str, query: Stretch, subject: Stretch, **parameters: Unpack[StretchParameters]
    ) -> Iterator[models.AlignedPair]:
        """Align a stretch of the query of a comparison with one of its subject, locally and with gaps: one pair.

        A stretch is a `Stretch`, or a dict as `{"record": "chr1", "from": 1, "to": 900}`. Scores that are not given are
        the comparison's. A ShardwaterError has the `alignment_id` of the job of pairs that this makes.
        """
        return self._each(comparisons.align(self._calls, comparison_id, query, subject, parameters))

    def hsps(self, comparison_id: str) -> Iterator[models.GenomeHsp]:
        """The list of a comparison that has succeeded, in its order, as it comes: it may be larger than memory."""
        return self._each(comparisons.hsps(self._calls, comparison_id))

    def save_hsps(
        self,
        comparison_id: str,
        path: str | PathLike[str],
        *,
        format: models.ComparisonFormat = "tab",
        columns: Sequence[str] = (),
    ) -> None:
        """The same into a file, in a format; `columns` are those of a table. The file is there when it is whole."""
        with Partial(Path(path)) as file:
            for piece in self._each(comparisons.pieces(self._calls, comparison_id, format, columns)):
                file.write(piece)

    def dot_plot(self, comparison_id: str, *, format: Picture = "svg", width: int = 1000) -> bytes:
        """The dot plot of a comparison that has succeeded; `width` is in pixels."""
        return self._run(comparisons.dot_plot(self._calls, comparison_id, format, width))

    def databases(self) -> list[models.DatabaseInfo]:
        """The databases that can be searched."""
        return self._run(self._calls.databases())

    def database(self, name: str) -> models.DatabaseInfo:
        """A database's size, version and state."""
        return self._run(self._calls.database(name))

    def sequence(self, database: str, accession: str) -> models.Sequence:
        """A sequence of a database, with its original letters."""
        return self._run(self._calls.sequence(database, accession))

    def sequences(self, database: str, accessions: Sequence[str]) -> list[models.Sequence]:
        """Up to 1,000 sequences of a database, in the order of their accessions: all of them, or NotFoundError."""
        return self._run(self._calls.sequences(database, accessions))

    def service_info(self) -> models.ServiceInfo:
        """What the server is, its limits, formats and matrices."""
        return self._run(self._calls.service_info())

    def parameters(self) -> models.ParameterList:
        """What a search can be told, with defaults and bounds."""
        return self._run(self._calls.parameters())

    def _result(self, data: models.SearchResult) -> Result:
        return Result(data, self)
