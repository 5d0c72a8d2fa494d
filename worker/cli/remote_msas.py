"""MSAs of queries made by a server: in jobs of bounded size, a few of which are under way at a time."""

import json
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from shardwater.formats.msas.writers import MsaFormatName
from shardwater.search.databases import DatabaseUsed
from worker.cli.msa_outputs import Failed, Made, WhichMsa
from worker.cli.msa_queries import Query
from worker.cli.remote import RemoteAway, RemoteBusy, RemoteError, RemoteFailed, send, until_succeeded
from worker.jobs.msa_requests import MOST_CHAINS, MsaRequest

MOST_TOGETHER = 20
"""Chains of a job, where they are of more than one query: none is written before all of them are done."""
MOST_IN_FLIGHT = 10
"""While the results of one are fetched, others wait for the workers."""
INTERRUPTED = (KeyboardInterrupt, GeneratorExit)
"""What ends the making of MSAs from outside."""
FOREVER = float("inf")
SURROUNDING = 10_000
"""Bytes of a request besides its queries: names of databases, numbers, a title."""
PAGE = 1000
ShowQueries = Callable[[float], None]
"""Is told how many queries are done."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the server takes in one request."""

    chains: int
    length: int
    residues: int
    body: int

    @classmethod
    def of(cls, http: httpx.Client) -> "Bounds":
        """Its published limits. Raises RemoteError where it is not there."""
        limits = send(http, time.monotonic(), "GET", "/v1/service-info").json()["limits"]
        return cls(*(limits[f"max_{name}"] for name in ("queries", "query_length", "query_residues", "body_bytes")))

    def refusal(self, query: Query) -> str | None:
        """Why a query is too large for any request; None where it is not."""
        longest = max(len(chain.residues) for chain in query.chains)
        facts = (
            ("chains", len(query.chains), min(self.chains, MOST_CHAINS)),
            ("residues in a chain", longest, self.length),
            ("residues", query.residues, self.residues),
            ("bytes", _size(query) + SURROUNDING, self.body),
        )
        for what, actual, most in facts:
            if actual > most:
                return f"it has {actual:,} {what}, the server takes {most:,}"
        return None

    def groups(self, queries: Iterable[Query]) -> Iterator[list[Query]]:
        """Queries of one job each; those that are too large take no room in it."""
        group, chains, residues, size = list[Query](), 0, 0, SURROUNDING
        for query in queries:
            more = (0, 0, 0) if self.refusal(query) else (len(query.chains), query.residues, _size(query))
            chains, residues, size = chains + more[0], residues + more[1], size + more[2]
            most = min(self.chains, MOST_TOGETHER)
            full = chains > most or residues > self.residues or size > self.body or len(group) == MOST_TOGETHER
            if group and full:
                yield group
                group, (chains, residues, size) = [], (more[0], more[1], more[2] + SURROUNDING)
            group.append(query)
        if group:
            yield group


@dataclass(frozen=True, slots=True)
class _Job:
    """Queries, and the reply to those of them that were sent; None where none was fit to be."""

    group: Sequence[Query]
    reply: httpx.Response | None = None


@dataclass(frozen=True, slots=True)
class MadeThere:
    """The MSAs of a query, which a server has; before: how many chains its job has before those of the query."""

    query: Query
    http: httpx.Client
    results: str
    before: int

    def written(self, wanted: WhichMsa, form: MsaFormatName) -> Iterator[bytes]:
        """One of them in a format, as it is sent."""
        asked: dict[str, object] = {"format": form, "chain": self.before + wanted.chain}
        if wanted.then:
            asked["of"] = "then"
        if wanted.pairs:
            asked["pairs"] = "true"
        yield send(self.http, FOREVER, "GET", f"{self.results}?{urlencode(asked)}").content


class MsasThere:
    """Has a server make MSAs by a request's parameters; its queries are not looked at."""

    def __init__(self, http: httpx.Client, request: MsaRequest) -> None:
        """Raises RemoteError where the server is not there, or has not these databases."""
        self._http, self._request = http, request
        self._bounds = Bounds.of(http)
        lists = [request.databases, request.then] if request.then else [request.databases]
        told = [[_database(http, name) for name in names] for names in lists]
        self.databases = [
            [DatabaseUsed(each["name"], each["version"], each["checksum"]) for each in one] for one in told
        ]
        # Of members of clusters, which have their own, the server tells nothing.
        self.without_taxids = [
            each["name"] for each in told[0] if each.get("taxonomy") == "none" and not each.get("members")
        ]
        self._flight: deque[_Job] = deque()

    def made(self, queries: Iterable[Query], show: ShowQueries, run: str) -> Generator[Made | Failed, None, None]:
        """The MSAs of each query, in their order; a job is removed when those of its queries have been taken.

        Where this is interrupted, jobs are cancelled: chains that are done stay for who goes on. run: by which this
        run's jobs are known. Raises RemoteError.
        """
        groups = deque[list[Query]]()
        coming = self._bounds.groups(queries)
        try:
            while True:
                while len(self._flight) < MOST_IN_FLIGHT and (
                    group := groups.popleft() if groups else next(coming, None)
                ):
                    if not self._sent(group, groups, run):
                        break
                if not self._flight:
                    return
                yield from self._ended(self._flight.popleft(), show, run)
        except INTERRUPTED:
            while self._flight:
                self._cancel(self._flight.popleft())
            raise
        finally:
            while self._flight:
                self._remove(self._flight.popleft())

    def _sent(self, group: list[Query], groups: deque[list[Query]], run: str) -> bool:
        """Whether a job is under way; else its queries are the next ones again, in smaller jobs where none is."""
        try:
            self._flight.append(self._submitted(group, time.monotonic(), run))
        except RemoteAway:
            # Smaller jobs would not reach it either.
            self._flight.append(self._submitted(group, FOREVER, run))
        except RemoteBusy:
            if self._flight:
                groups.appendleft(group)
                return False
            if len(group) == 1:
                self._flight.append(self._submitted(group, FOREVER, run))
            else:
                # A quota may be too small for all of them at once.
                half = len(group) // 2
                groups.extendleft((group[half:], group[:half]))
        return True

    def _submitted(self, group: Sequence[Query], deadline: float, run: str) -> _Job:
        sent = [query for query in group if not self._bounds.refusal(query)]
        if not sent:
            return _Job(group)
        fields = self._request.model_dump(mode="json", exclude={"queries", "title"}, exclude_unset=True)
        title = f"{_title(run)}{sent[0].number} to {sent[-1].number}"
        body = {**fields, "queries": [_complex(query) for query in sent], "title": title}
        content = json.dumps(body, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json"}
        reply = send(self._http, deadline, "POST", "/v1/msas", known=True, content=content, headers=headers)
        return _Job(group, reply)

    def _ended(self, job: _Job, show: ShowQueries, run: str) -> Iterator[Made | Failed]:
        """The MSAs of a job, as soon as it has ended; one that has failed is made again in parts, to find the fault.

        However that ends, none of these jobs goes on.
        """
        before, done_with = job.group[0].number - 1, self._remove
        try:
            yield from self._taken(job, self._results(job, lambda share, *_: show(before + share * len(job.group))))
            return
        except RemoteFailed as error:
            reason = str(error)
        except INTERRUPTED:
            done_with = self._cancel
            raise
        finally:
            done_with(job)
        if len(job.group) == 1:
            yield Failed(job.group[0], reason)
            return
        half = len(job.group) // 2
        for part in (job.group[:half], job.group[half:]):
            yield from self._ended(self._submitted(part, FOREVER, run), show, run)

    def _taken(self, job: _Job, results: str) -> Iterator[Made | Failed]:
        chains = 0
        for query in job.group:
            refusal = self._bounds.refusal(query)
            if refusal is not None:
                yield Failed(query, refusal)
                continue
            yield MadeThere(query, self._http, results, chains)
            chains += len(query.chains)

    def _results(self, job: _Job, show: Callable[[float, str, float | None], None]) -> str:
        if job.reply is None:
            return ""
        place: str = until_succeeded(self._http, FOREVER, job.reply, show)["links"]["results"]
        return place

    def _remove(self, job: _Job) -> None:
        """Have the server forget a job. One that stays is removed when its time is over."""
        if job.reply is not None:
            self._delete(job.reply.json())

    def _cancel(self, job: _Job) -> None:
        """Have the server stop a job; what is done of it stays there until its time is over."""
        if job.reply is not None:
            with suppress(RemoteError):
                send(self._http, time.monotonic(), "POST", job.reply.json()["links"]["cancel"])

    def _delete(self, told: dict[str, Any]) -> None:
        with suppress(RemoteError):
            send(self._http, time.monotonic(), "DELETE", told["links"]["self"])

    def clear(self, run: str) -> None:
        """Remove what is left of a run that was killed, once it has gone on to its end."""
        token = ""
        with suppress(RemoteError):
            while True:
                asked = urlencode({"page_size": PAGE, **({"page_token": token} if token else {})})
                page = send(self._http, time.monotonic(), "GET", f"/v1/msas?{asked}").json()
                for job in page["items"]:
                    if job["title"].startswith(_title(run)):
                        self._delete(job)
                token = page["next_page_token"]
                if not token:
                    return


def _title(run: str) -> str:
    """How the titles of a run's jobs begin. No other run has them, so a job is removed by none that shares it."""
    return f"shardwater msa {run}, queries "


def _complex(query: Query) -> dict[str, Any]:
    return {"chains": [f">{chain.header}\n{chain.residues.decode()}" for chain in query.chains]}


def _size(query: Query) -> int:
    return len(json.dumps(_complex(query), ensure_ascii=False).encode()) + len(", ")


def _database(http: httpx.Client, name: str) -> dict[str, Any]:
    told: dict[str, Any] = send(http, time.monotonic(), "GET", f"/v1/databases/{quote(name, safe='')}").json()
    return told
