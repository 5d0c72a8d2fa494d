"""Jobs of pairs: the pairs of two lists are cut into parts for any worker; answers stay in the job's folder."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter

from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.columns import Columns, Way
from shardwater.pairs.found import FoundPart
from shardwater.pairs.lists import PairLists
from shardwater.pairs.parts import Part, Parts, starts_of, write_starts
from shardwater.pairs.stored import Answers, UnreadableAnswers, likely_bytes
from shardwater.pairs.strands import align_strands, passes
from shardwater.search.step import Step, Steps
from shardwater.sequences.stored import DamagedSequences
from shardwater.software import software
from worker.jobs.checkpoint_files import CheckpointFiles
from worker.jobs.costs import Work
from worker.jobs.files import JobFiles
from worker.jobs.ids import ALIGNMENT as ALIGNMENT_NAME
from worker.jobs.pair_requests import PairParameters
from worker.jobs.results.packing import pack, unpack
from worker.jobs.results.parts import UnreadablePart, pack_part, read_part
from worker.jobs.rounds import Round
from worker.jobs.submission import NewJob
from worker.jobs.targets import DeviceTarget
from worker.kinds.kind import Answered, FrontEnd, Kind, PartAnswer, Workplace

if TYPE_CHECKING:
    from worker.queue.part_queue import LeasedPart


LONG_CELLS = 1 << 24
"""Of a pair whose matrix is not kept whole while it is aligned: on a CPU a cell takes ten times as long."""
LEAST_CELLS = 10_000
"""A job is charged with at least so many cells an alignment: that of the shortest pair takes as long as these."""


@dataclass(frozen=True, slots=True)
class PartNote:
    """What Redis keeps of an answered part: the digest of its file, its pairs and cells.

    engine: the worker's. ways: how many of its pairs were computed how; nothing of a part that an older version has
    answered.
    """

    sha256: str
    pairs: int
    cells: int
    engine: str
    ways: dict[Way, int] = field(default_factory=dict)

    @property
    def engines(self) -> set[str]:
        """What computed its pairs: a device's name, or `cpu`, which does what no kernel of a device takes."""
        return {"cpu" if way == "cpu" else self.engine for way in self.ways} or {self.engine}


@dataclass(frozen=True, slots=True)
class PairCertificate:
    """What was done for a job. exact: every pair was aligned exactly; engines, ways: what computed pairs, and how."""

    exact: bool
    pairs: int
    cells: int
    parts: int
    engines: tuple[str, ...]
    software: str
    ways: dict[Way, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AlignedLists:
    """A job of pairs that has succeeded: its certificate, and the digest of each part's file."""

    certificate: PairCertificate
    digests: tuple[str, ...]


_NOTE, _ALIGNED = TypeAdapter(PartNote), TypeAdapter(AlignedLists)


def plan(parameters: PairParameters, lists: PairLists, folder: Path, title: str) -> NewJob:
    """A job of the lists in a folder of its own; parameters: complete, with nothing left to default."""
    starts = starts_of(lists, _scheme(parameters), parameters.best)
    write_starts(folder, starts, len(lists))
    pairs, parts = len(lists), len(starts)
    cells, alignments = cells_of(lists, parameters), parameters.best * pairs
    return NewJob(
        kind=ALIGNMENT_NAME,
        request=parameters.model_dump_json(),
        content=(parameters.model_dump_json(), lists.queries.digest, lists.subjects.digest, title),
        target=DeviceTarget(parts),
        residues=0,
        cells=max(cells, LEAST_CELLS * alignments),
        work=Work(
            searches=1,
            pairs=max(1.0, passes(parameters.report, parameters.strand) * alignments / parts),
            ways=alignments / parts if _has_ways(parameters) else 0.0,
            **{"way_cells" if _has_long_ways(lists, parameters) else "pair_cells": cells / parts},
        ),
        batch="",
        title=title,
        answer_bytes=_answer_bytes(lists, starts, parameters),
    )


def _answer_bytes(lists: PairLists, starts: Sequence[int], asked: PairParameters) -> int:
    """The bytes that the answers of all parts are foreseen to take."""
    # Each piece of a pair has an answer of its own.
    further = np.asarray(starts, np.int64)[1:][np.diff(starts) == 0]
    letters = asked.best * lists.shorter_letters + int(np.minimum(*lists.lengths_of(further)).sum())
    rows = asked.best * len(lists) + len(further)
    return likely_bytes(len(starts), rows, letters if asked.report == "alignment" else None)


def run(place: Workplace, parts: Sequence["LeasedPart"]) -> Steps[list[PartAnswer]]:
    """Align the pairs of each part."""
    answers = []
    for part in parts:
        answers.append((yield from _align(place, part)))
    return answers


def _align(place: Workplace, part: "LeasedPart") -> Steps[PartAnswer]:
    asked, folder = _asked(part), place.files.folder(part.search)
    own, scheme, cells = Parts.read(folder)[part.number], _scheme(asked), 0
    lists = PairLists.open(folder, asked.pairing)
    batch = lists.batch(own.numbers, scheme.table.alphabet)
    if (pieces := own.cut(lists, scheme)) is not None:
        batch = PairBatch.of([pieces.piece(batch[0], own.piece)])
    found, ways = list[tuple[Columns, npt.NDArray[np.bool_]]](), Counter[Way]()
    checkpoints = CheckpointFiles(place.files, part.search, part.number)
    engine = place.pairs if asked.best == 1 else place.pairs.several(asked.selection)
    with closing(align_strands(batch, scheme, asked.report, asked.strand, engine, checkpoints)) as parts:
        for each in parts:
            if each.answers is not None:
                found.append(each.answers)
            cells += each.cells
            ways.update(each.ways)
            yield Step(each.progress)
    answers = Answers.gathered(scheme.mode.local, found)
    packed = answers.pack()
    place.files.keep_part(part.search, part.number, packed)
    checkpoints.discard()
    note = PartNote(hashlib.sha256(packed).hexdigest(), answers.pairs, cells, place.pairs.name, dict(+ways))
    return PartAnswer(pack_part(_NOTE, note), cells)


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    """The certificate of a job. Raises EngineError where a part has not answered all pairs, or not scored all cells."""
    folder, asked = front_end.files.folder(answered.job), PairParameters.model_validate_json(answered.request)
    parts, lists = Parts.read(folder), PairLists.open(folder, asked.pairing)
    notes = [read_part(_NOTE, b"%d" % number, answered.parts[b"%d" % number]) for number in range(len(parts))]
    for number, (note, part) in enumerate(zip(notes, parts, strict=True)):
        if note.pairs != len(part.numbers):
            raise EngineError(f"part {number} has answered {note.pairs} of {len(part.numbers)} pairs")
    own_cells, scored = cells_of(lists, asked), sum(note.cells for note in notes)
    if scored != (all_cells := own_cells + _shared_cells(lists, parts, asked)):
        raise EngineError(f"{scored:,} cells were scored, and the pairs have {all_cells:,}")
    ways = Counter[Way]()
    for note, part in zip(notes, parts, strict=True):
        # A pair in pieces is one, by its last.
        ways.update(note.ways if part.answered else {})
    certificate = PairCertificate(
        exact=True,
        pairs=len(lists),
        cells=own_cells,
        parts=len(notes),
        engines=tuple(sorted(set().union(*(note.engines for note in notes)))),
        software=software().version,
        ways=dict(sorted(ways.items())),
    )
    return pack(_ALIGNED.dump_json(AlignedLists(certificate, tuple(note.sha256 for note in notes))))


def read_aligned(packed: bytes) -> AlignedLists:
    """Read what `advance` made of a job that has succeeded."""
    return _ALIGNED.validate_json(unpack(packed))


def read_note(number: int, packed: bytes) -> PartNote:
    """Read what Redis keeps of a part; raises UnreadablePart."""
    return read_part(_NOTE, b"%d" % number, packed)


@dataclass(frozen=True, slots=True)
class KeptPairs:
    """What a job's folder holds, opened once for all parts of a result."""

    files: JobFiles
    job: str
    asked: PairParameters
    lists: PairLists
    parts: Parts

    @classmethod
    def open(cls, files: JobFiles, job: str, asked: PairParameters) -> Self:
        """Raises UnreadablePart where the job's files are gone or damaged."""
        folder = files.folder(job)
        try:
            return cls(files, job, asked, PairLists.open(folder, asked.pairing), Parts.read(folder))
        except (OSError, ValueError, DamagedSequences):
            raise UnreadablePart(b"0") from None

    def part(self, number: int, digests: Sequence[str]) -> FoundPart:
        """The answers of the pairs that a part answers: of a pair in pieces the last one does.

        digests: of its file and of those before. Raises UnreadablePart where files or sequences are gone or damaged.
        """
        scheme, part = _scheme(self.asked), self.parts[number]
        try:
            self.lists.check_stored(part.answered)
            # What is not read yet is the other pieces', if the part is the last one.
            reading = range(number - part.piece if len(part.answered) else number, number + 1)
            answers = [_answers(self.files, self.job, each, digests[each], scheme) for each in reading]
            joined = _joined(part, answers, self.lists, self.asked)
            return FoundPart(self.lists, part.answered, joined, scheme, self.asked.report)
        except (OSError, UnreadableAnswers, DamagedSequences):
            raise UnreadablePart(b"%d" % number) from None

    def parts_with(self, pairs: range) -> list[int]:
        """The parts that answer any of these pairs, by number."""
        return [number for number in self.parts.answering(pairs) if self.parts[number].answered]

    def pair(self, pair: int, digests: Sequence[str]) -> FoundPart | None:
        """The answer of one pair, by its number, from 0; None where there is no such pair. Raises UnreadablePart."""
        wanted = range(pair, pair + 1)
        numbers = self.parts_with(wanted)
        return self.part(numbers[0], digests).only(wanted) if numbers else None


def _answers(files: JobFiles, job: str, number: int, digest: str, scheme: Scheme) -> Answers:
    packed = files.part(job, number)
    if hashlib.sha256(packed).hexdigest() != digest:
        raise UnreadablePart(b"%d" % number)
    return Answers.read(packed, scheme.mode.local)


def _joined(part: Part, answers: Sequence[Answers], lists: PairLists, asked: PairParameters) -> Answers:
    """The answers of a part from its own, or of the pair of which it is the last piece from those of all pieces."""
    scheme = _scheme(asked)
    if (pieces := part.cut(lists, scheme)) is None:
        return answers[0]
    if not part.answered:
        return Answers.gathered(scheme.mode.local, [])
    found = [each.columns.numbered(np.array([piece])) for piece, each in enumerate(answers)]
    reverse = np.concatenate([each.reverse for each in answers])
    return Answers(*pieces.best(Columns.joined(scheme.mode.local, found), reverse, 0, 0, asked.report))


def cells_of(lists: PairLists, asked: PairParameters) -> int:
    """The cells of all pairs; twice as many where both strands are scored."""
    return lists.cells * (2 if asked.strand == "both" else 1)


def _shared_cells(lists: PairLists, parts: Sequence[Part], asked: PairParameters) -> int:
    """Those that are scored in two pieces of a pair, once more than cells_of counts them."""
    cells, scheme = 0, _scheme(asked)
    for part in parts:
        if part.answered and (pieces := part.cut(lists, scheme)) is not None:
            [other] = lists.lengths(part.numbers)[1 - pieces.side].tolist()
            cells += pieces.added * other
    return cells * (2 if asked.strand == "both" else 1)


def _has_ways(asked: PairParameters) -> bool:
    """Whether more is found of a pair than its score and where it ends, which is found with it."""
    mode = _scheme(asked).mode
    return asked.report == "alignment" or (
        asked.report == "ends" and (mode.local or mode.query_begin or mode.subject_begin)
    )


def _has_long_ways(lists: PairLists, asked: PairParameters) -> bool:
    """Whether, of pairs as long as these are on average, rows are kept for ways back."""
    return asked.best > 1 or (asked.report != "score" and lists.cells > LONG_CELLS * len(lists))


def _scheme(asked: PairParameters) -> Scheme:
    return asked.scheme(asked.letters)


def cells(part: "LeasedPart", place: Workplace) -> int:
    """How many cells a part has: the average of its job's parts."""
    return max(1, round(part.work.cells_of_pairs))


def _asked(part: "LeasedPart") -> PairParameters:
    assert isinstance(part.request, PairParameters)
    return part.request


ALIGNMENT = Kind(ALIGNMENT_NAME, PairParameters.model_validate_json, cells, run, advance)
