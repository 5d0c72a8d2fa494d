"""Jobs of pairs: the pairs of two lists are cut into parts for any worker; answers stay in the job's folder."""

import hashlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter

from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError
from shardwater.pairs.columns import Columns
from shardwater.pairs.found import FoundPart
from shardwater.pairs.lists import PairLists, read_parts, write_starts
from shardwater.pairs.stored import Answers, UnreadableAnswers
from shardwater.pairs.strands import align_strands, passes
from shardwater.search.search import Step, Steps
from shardwater.sequences.stored import DamagedSequences
from shardwater.software import software
from worker.jobs.costs import Work
from worker.jobs.files import JobFiles
from worker.jobs.ids import ALIGNMENT as ALIGNMENT_NAME
from worker.jobs.pair_requests import PairParameters
from worker.jobs.results.packing import pack, unpack
from worker.jobs.results.parts import UnreadablePart, pack_part, read_part
from worker.jobs.submission import NewJob
from worker.jobs.targets import DeviceTarget
from worker.kinds.kind import Again, Answered, FrontEnd, Kind, PartAnswer, Workplace

if TYPE_CHECKING:
    from worker.queue.part_queue import LeasedPart


LEAST_CELLS = 10_000
"""A job is charged with at least so many cells a pair: the shortest pair takes as long as these."""


@dataclass(frozen=True, slots=True)
class PartNote:
    """What Redis keeps of an answered part: the digest of its file, its pairs and cells, and what computed them."""

    sha256: str
    pairs: int
    cells: int
    engine: str


@dataclass(frozen=True, slots=True)
class PairCertificate:
    """What was done for a job. exact: every pair was aligned exactly; engines: what computed its parts."""

    exact: bool
    pairs: int
    cells: int
    parts: int
    engines: tuple[str, ...]
    software: str


@dataclass(frozen=True, slots=True)
class AlignedLists:
    """A job of pairs that has succeeded: its certificate, and the digest of each part's file."""

    certificate: PairCertificate
    digests: tuple[str, ...]


_NOTE, _ALIGNED = TypeAdapter(PartNote), TypeAdapter(AlignedLists)


def plan(parameters: PairParameters, lists: PairLists, folder: Path, title: str) -> NewJob:
    """A job of the lists in a folder of its own; parameters: complete, with nothing left to default."""
    starts = lists.starts()
    write_starts(folder, starts, len(lists))
    pairs, parts = len(lists), len(starts)
    cells = cells_of(lists, parameters)
    return NewJob(
        kind=ALIGNMENT_NAME,
        request=parameters.model_dump_json(),
        content=(parameters.model_dump_json(), lists.queries.digest, lists.subjects.digest, title),
        target=DeviceTarget(parts),
        residues=0,
        cells=max(cells, LEAST_CELLS * pairs),
        work=Work(
            searches=1,
            pairs=max(1.0, passes(parameters.report, parameters.strand) * pairs / parts),
            pair_cells=cells / parts,
        ),
        batch="",
        title=title,
    )


def run(place: Workplace, parts: Sequence["LeasedPart"]) -> Steps[list[PartAnswer]]:
    """Align the pairs of each part."""
    answers = []
    for part in parts:
        answers.append((yield from _align(place, part)))
    return answers


def _align(place: Workplace, part: "LeasedPart") -> Steps[PartAnswer]:
    asked, folder = _asked(part), place.files.folder(part.search)
    numbers, cells = read_parts(folder)[part.number], 0
    scheme = _scheme(asked)
    batch = PairLists.open(folder, asked.pairing).batch(numbers, scheme.table.alphabet)
    found = list[tuple[Columns, npt.NDArray[np.bool_]]]()
    with closing(align_strands(batch, scheme, asked.report, asked.strand, place.pairs)) as parts:
        for each in parts:
            if each.answers is not None:
                found.append(each.answers)
            cells += each.cells
            yield Step(each.progress)
    answers = Answers.gathered(scheme.mode.local, found)
    packed = answers.pack()
    place.files.keep_part(part.search, part.number, packed)
    note = PartNote(hashlib.sha256(packed).hexdigest(), len(answers), cells, place.pairs.name)
    return PartAnswer(pack_part(_NOTE, note), cells)


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Again:
    """The certificate of a job. Raises EngineError where a part has not answered all pairs, or not scored all cells."""
    numbers = read_parts(front_end.files.folder(answered.job))
    notes = [read_part(_NOTE, b"%d" % number, answered.parts[b"%d" % number]) for number in range(len(numbers))]
    for number, (note, pairs) in enumerate(zip(notes, numbers, strict=True)):
        if note.pairs != len(pairs):
            raise EngineError(f"part {number} has answered {note.pairs} of {len(pairs)} pairs")
    scored, asked = sum(note.cells for note in notes), PairParameters.model_validate_json(answered.request)
    if scored != (all_cells := cells_of(PairLists.open(front_end.files.folder(answered.job), asked.pairing), asked)):
        raise EngineError(f"{scored:,} cells were scored, and the pairs have {all_cells:,}")
    certificate = PairCertificate(
        exact=True,
        pairs=sum(note.pairs for note in notes),
        cells=scored,
        parts=len(notes),
        engines=tuple(sorted({note.engine for note in notes})),
        software=software().version,
    )
    return pack(_ALIGNED.dump_json(AlignedLists(certificate, tuple(note.sha256 for note in notes))))


def read_aligned(packed: bytes) -> AlignedLists:
    """Read what `advance` made of a job that has succeeded."""
    return _ALIGNED.validate_json(unpack(packed))


def read_note(number: int, packed: bytes) -> PartNote:
    """Read what Redis keeps of a part; raises UnreadablePart."""
    return read_part(_NOTE, b"%d" % number, packed)


def found_part(files: JobFiles, job: str, asked: PairParameters, number: int, digest: str) -> FoundPart:
    """The answers of a part. Raises UnreadablePart where its file or its stored sequences are gone or damaged."""
    folder, scheme = files.folder(job), _scheme(asked)
    try:
        packed = files.part(job, number)
        if hashlib.sha256(packed).hexdigest() != digest:
            raise UnreadablePart(b"%d" % number)
        answers = Answers.read(packed, scheme.mode.local)
        lists, numbers = PairLists.open(folder, asked.pairing), read_parts(folder)[number]
        lists.check_stored(numbers)
    except (OSError, UnreadableAnswers, DamagedSequences):
        raise UnreadablePart(b"%d" % number) from None
    return FoundPart(lists, numbers, answers, scheme, asked.report)


def cells_of(lists: PairLists, asked: PairParameters) -> int:
    """The cells of all pairs; twice as many where both strands are scored."""
    return lists.cells * (2 if asked.strand == "both" else 1)


def _scheme(asked: PairParameters) -> Scheme:
    return asked.scheme(asked.letters)


def cells(part: "LeasedPart", place: Workplace) -> int:
    """How many cells a part has: the average of its job's parts."""
    return max(1, round(part.work.pair_cells))


def _asked(part: "LeasedPart") -> PairParameters:
    assert isinstance(part.request, PairParameters)
    return part.request


ALIGNMENT = Kind(ALIGNMENT_NAME, PairParameters.model_validate_json, cells, run, advance)
