"""Rounds of an iterated search, in its job's folder: a file for each, with the profiles that it searches with.

A round's file is written before the round begins, by whoever merges the one before: the same bytes, whoever does it.
"""

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shardwater.database.members import Clusters
from shardwater.errors import EngineError
from shardwater.profiles.iterated import Iterated, Made, Turn
from shardwater.profiles.iteration import Round
from shardwater.scoring.pssm import Pssm
from shardwater.search.clusters import Chosen
from shardwater.search.repeats import DIGEST_BYTES, KnownRepeats
from shardwater.sequences.fasta import Record
from worker.jobs.files import JobFiles
from worker.jobs.results.packing import UnpackingError, pack, unpack


class RoundFiles:
    """Those of one search, whose queries are these."""

    def __init__(self, files: JobFiles, job: str, queries: Sequence[Record]) -> None:
        self._files, self._job, self._queries = files, job, queries

    def read(self, round_: int) -> Iterated:
        """A round of the job, from 1, before it is searched; raises EngineError where its file is not there."""
        iterated, _ = self.read_chosen(round_)
        return iterated

    def read_chosen(self, round_: int) -> tuple[Iterated, Chosen | None]:
        """The same, and the members of clusters that are aligned in place of a search; None where that is searched."""
        if round_ == 1:
            return Iterated.first(self._queries), None
        kept = self._kept(round_, self._files.round)
        turns = tuple(_turn(query, one) for query, one in zip(self._queries, kept["turns"], strict=True))
        members = kept.get("members")
        return Iterated(turns, kept["any_line"], kept["stage"]), None if members is None else _chosen(members)

    def found(self, round_: int) -> Mapping[bytes, bytes]:
        """The answers of the round before one that aligns members; raises EngineError as `read` does."""
        kept = self._kept(round_, self._files.found)
        return {shard.encode(): base64.b64decode(part) for shard, part in kept.items()}

    def last(self) -> Iterated:
        """The last round that has begun."""
        return self.read(max(self._files.rounds(self._job), default=1))

    def repeats(self, round_: int) -> KnownRepeats:
        """What was known of repeats when a round began; nothing where that is not kept, which costs time alone."""
        try:
            return _read_repeats(*json.loads(unpack(self._files.repeats(self._job, round_))))
        except (OSError, RecursionError, TypeError, ValueError, UnpackingError):
            return KnownRepeats()

    def keep(self, round_: int, iterated: Iterated) -> None:
        """Keep a round that is about to begin. Raises StorageFull."""
        self._keep(round_, iterated)

    def keep_repeats(self, round_: int, repeats: KnownRepeats) -> None:
        """Keep what is known of repeats for that round, in a file of its own: workers do not read it.

        Raises StorageFull.
        """
        # Whoever merges may have looked at them in another order.
        masks = sorted(repeats.masks.items())
        lengths = np.array([len(mask) for _, mask in masks])
        bits = np.packbits(np.concatenate([*(mask for _, mask in masks), np.zeros(0, np.bool_)]))
        digests = base64.b64encode(b"".join(digest for digest, _ in masks)).decode()
        kept = [digests, _text(lengths, np.uint32), _text(bits, np.uint8)]
        self._files.keep_repeats(self._job, round_, pack(json.dumps(kept).encode()))

    def keep_chosen(self, round_: int, iterated: Iterated, chosen: Chosen, found: Mapping[bytes, bytes]) -> None:
        """Keep one that aligns members of clusters, with what the queries of the round before were searched as.

        found: its answers, whose hits the members stand behind, in a file of their own: workers do not read it. Raises
        StorageFull.
        """
        parts = {shard.decode(): base64.b64encode(part).decode() for shard, part in found.items()}
        self._files.keep_found(self._job, round_, pack(json.dumps(parts).encode()))
        clusters = [[each.subjects.tolist(), each.firsts.tolist(), each.counts.tolist()] for each in chosen.clusters]
        self._keep(round_, iterated, members={"clusters": clusters, "left_out": chosen.left_out})

    def _keep(self, round_: int, iterated: Iterated, **besides: Any) -> None:
        kept: dict[str, Any] = {
            "any_line": iterated.any_line,
            "stage": iterated.stage,
            "turns": [_kept(turn) for turn in iterated.turns],
            **besides,
        }
        self._files.keep_round(self._job, round_, pack(json.dumps(kept).encode()))

    def _kept(self, round_: int, read: Callable[[str, int], bytes]) -> dict[str, Any]:
        try:
            kept: dict[str, Any] = json.loads(unpack(read(self._job, round_)))
        except (OSError, ValueError, UnpackingError):
            raise EngineError(f"round {round_} of the search is not kept any more") from None
        return kept


def _chosen(kept: dict[str, Any]) -> Chosen:
    clusters = tuple(Clusters(*np.array(each, np.int64).reshape(3, -1)) for each in kept["clusters"])
    return Chosen(clusters, kept["left_out"])


def _read_repeats(digests: str, lengths: str, masks: str) -> KnownRepeats:
    """Of sequences: their digests, how many letters each one has, and their masks, a bit a letter.

    Raises ValueError where one does not fit the others.
    """
    joined, ends = base64.b64decode(digests), np.cumsum(_numbers(lengths, np.uint32), dtype=np.int64)
    packed, letters = _numbers(masks, np.uint8), int(ends[-1]) if len(ends) else 0
    if len(packed) != -(-letters // 8) or len(joined) != DIGEST_BYTES * len(ends):
        raise ValueError("masks are of other letters")
    bits = np.unpackbits(packed, count=letters).astype(np.bool_)
    names = (joined[first : first + DIGEST_BYTES] for first in range(0, len(joined), DIGEST_BYTES))
    return KnownRepeats(dict(zip(names, np.split(bits, ends)[: len(ends)], strict=True)))


def _kept(turn: Turn) -> dict[str, Any]:
    pssm, made = turn.query.pssm, turn.made
    return {
        "scores": None if pssm is None else _text(pssm.scores, np.int8),
        # Its numbers have no more digits (iterated.py).
        "made": None
        if made is None
        else [_text(made.expected, np.float32), _text(made.observed, np.uint8), _text(made.weight, np.float32)],
        "rounds": [[one.number, one.included, one.new, one.lost] for one in turn.rounds],
    }


def _turn(query: Record, kept: dict[str, Any]) -> Turn:
    rounds = tuple(Round(number, *map(tuple, lists)) for number, *lists in kept["rounds"])
    positions = len(query.residues)
    if (text := kept["scores"]) is not None:
        pssm = Pssm(_numbers(text, np.int8).reshape(positions, -1).astype(np.int32))
        query = Record(query.header, query.residues, query.offset, query.whole, pssm)
    return Turn(query, rounds, None if kept["made"] is None else _made(kept["made"], positions))


def _made(texts: Sequence[str], positions: int) -> Made:
    expected, observed, weight = texts
    return Made(
        _numbers(expected, np.float32).reshape(positions, -1).astype(np.float64),
        _numbers(observed, np.uint8).reshape(positions, -1),
        _numbers(weight, np.float32).astype(np.float64),
    )


def _text(numbers: npt.NDArray[Any], kind: type[np.generic]) -> str:
    return base64.b64encode(numbers.astype(kind).tobytes()).decode()


def _numbers(text: str, kind: type[np.generic]) -> npt.NDArray[Any]:
    return np.frombuffer(base64.b64decode(text), kind)
