"""Jobs of every kind that somebody deletes while they wait or run, beside whatever harm is done to the service."""

import threading
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

import httpx

from tests.faults.searches import TINY, Caller
from tests.support.server import until

LONGEST_S = 1.5
"""A job is deleted within so many seconds, most while they run; one in four at once."""
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
"""What is answered for a job that was deleted, also where the queue has lost its data since."""
Body = Callable[[Random], dict[str, object]]


def _letters(random: Random, alphabet: str, number: int) -> str:
    return f">{random.getrandbits(40)}\n{''.join(random.choices(alphabet, k=number))}\n"


def _searched(**fields: object) -> Body:
    """A search of some proteins by chance."""

    def body(random: Random) -> dict[str, object]:
        queries = "".join(_letters(random, "ACDEFGHIKLMNPQRSTVWY", 800) for _ in range(3))
        return {"sequence": queries, "database": "demo", **fields}

    return body


def _aligned(random: Random) -> dict[str, object]:
    """Pairs so long that workers keep how far they are."""
    lists = {name: "".join(_letters(random, "ACGT", 8000) for _ in range(4)) for name in ("queries", "subjects")}
    return {**lists, "alphabet": "dna"}


def _compared(random: Random) -> dict[str, object]:
    return {name: _letters(random, "ACGT", 100_000) for name in ("query", "subject")}


def _msas(random: Random) -> dict[str, object]:
    chains = "".join(_letters(random, "ACDEFGHIKLMNPQRSTVWY", 300) for _ in range(3))
    return {"queries": chains, "databases": ["demo"]}


KINDS: dict[str, tuple[str, Body]] = {
    "search": ("/v1/searches", _searched()),
    "search with all scores": ("/v1/searches", _searched(scores="all")),
    "search in rounds": ("/v1/searches", _searched(iterations=3)),
    "alignment": ("/v1/alignments", _aligned),
    "comparison": ("/v1/comparisons", _compared),
    "msa": ("/v1/msas", _msas),
}
VERIFICATION = "verification"


class Deleting:
    """A client that sends jobs of all kinds and deletes each at a moment by chance, as long as the context lasts."""

    def __init__(self, url: str, random: Random, surprises: list[str]) -> None:
        self.deleted: Counter[str] = Counter()
        """How many of each kind, by the state that they were in."""
        self.links: list[str] = []
        self.back: list[str] = []
        """Those that were there again after a DELETE."""
        self._caller, self._random = Caller(url, surprises), random
        self._over = threading.Event()
        self._client = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._client.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._client.join()

    def look_again(self) -> None:
        """Ask once more for all that were deleted."""
        for link in self.links:
            self._must_be_gone(link)
        self._caller.close()

    def left_in(self, kept: Path) -> list[str]:
        """The folders that deleted jobs have in the folder of all."""
        deleted = {link.rpartition("/")[2] for link in self.links}
        return sorted(path.name for path in kept.iterdir() if path.name in deleted) if kept.is_dir() else []

    def _run(self) -> None:
        names = [*KINDS, VERIFICATION]
        while not self._over.is_set():
            self._one(names[self.deleted.total() % len(names)])

    def _one(self, name: str) -> None:
        if name == VERIFICATION:
            searched = self._send("/v1/searches", {"sequence": TINY, "database": "demo", "title": f"{len(self.links)}"})
            until(lambda: self._state(searched) not in ("queued", "running"))
            reply = self._asked("POST", f"{searched}:verify", {})
            # Where the search has failed, or is lost, there is nothing to verify.
            if reply.status_code == HTTPStatus.ACCEPTED:
                self._delete(name, str(reply.json()["links"]["self"]))
            self._delete("search", searched)
        else:
            path, body = KINDS[name]
            self._delete(name, self._send(path, body(self._random)))

    def _send(self, path: str, body: dict[str, object]) -> str:
        """Send a job until it is accepted; where it is."""
        reply = self._asked("POST", path, body)
        assert reply.status_code in (HTTPStatus.OK, HTTPStatus.ACCEPTED), reply.text
        return str(reply.json()["links"]["self"])

    def _delete(self, name: str, link: str) -> None:
        if self._random.random() > 0.25:
            self._over.wait(self._random.uniform(0, LONGEST_S))
        self.deleted[f"{name}, {self._state(link)}"] += 1
        reply = self._asked("DELETE", link)
        # One whose reply was lost is done.
        assert reply.status_code in (HTTPStatus.NO_CONTENT, *GONE), reply.text
        self.links.append(link)
        self._must_be_gone(link)

    def _must_be_gone(self, link: str) -> None:
        reply = self._asked("GET", link)
        if reply.status_code not in GONE:
            self.back.append(f"{link}: {reply.text}")

    def _state(self, link: str) -> str:
        reply = self._asked("GET", link)
        return str(reply.json()["state"]) if reply.status_code == HTTPStatus.OK else str(reply.status_code)

    def _asked(self, method: str, path: str, body: object = None) -> httpx.Response:
        """The answer to a request that is sent until there is one."""
        found: list[httpx.Response] = []

        def asked() -> bool:
            reply = self._caller.send(method, path, body)
            found.extend([] if reply is None else [reply])
            return bool(found)

        until(asked)
        return found[0]
