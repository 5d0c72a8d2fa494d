"""Comparisons of genomes: a part has the HSPs of some words; a second round aligns what is around the merged HSPs.

HSPs, alignments and chains stay in the job's folder; Redis keeps their digests, what was counted, and the summary.
"""

import hashlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from pydantic import TypeAdapter

from shardwater.errors import EngineError, LimitExceeded
from shardwater.genomes.alignments import Alignments, UnreadableAlignments
from shardwater.genomes.boxes import Boxes, cells_of, dealt
from shardwater.genomes.chain_list import ChainList
from shardwater.genomes.checked import check_letters, check_words
from shardwater.genomes.compare import Compared
from shardwater.genomes.counts import Counts
from shardwater.genomes.gapped import BoxAligning, Gapped, align_boxes, distinct
from shardwater.genomes.hsps import Hsps, Numbers, UnreadableHsps
from shardwater.genomes.merging import merge_hsps
from shardwater.genomes.summary import Policy, Summary, chains_found, summarise
from shardwater.search.step import Step, Steps
from shardwater.software import software
from shardwater.steps import mapped
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.costs import LETTER_CELLS, Work
from worker.jobs.genome_files import ComparisonFiles, DamagedComparison, Genomes, kept_genomes
from worker.jobs.ids import COMPARISON as COMPARISON_NAME
from worker.jobs.results.packing import pack, unpack
from worker.jobs.results.parts import UnreadablePart, pack_part, read_part
from worker.jobs.rounds import Round
from worker.jobs.submission import NewJob
from worker.jobs.targets import DeviceTarget
from worker.kinds.alignment import LONG_CELLS
from worker.kinds.kind import Answered, FrontEnd, Kind, PartAnswer, Workplace

if TYPE_CHECKING:
    from worker.queue.part_queue import LeasedPart

LETTER_BOX_CELLS = 1000
"""Cells of boxes that are expected for each letter of both genomes: two strains of a bacterium have twice as many."""
PART_CELLS, MOST_PARTS = 2_000_000_000, 64
"""Cells of boxes that a CPU fills in a part of the second round, about; and the maximum number of parts."""
LEAST_BAND, MOST_BAND, ALIKE = 700, 250_000, 0.75
"""Letters of a box that is aligned in a band on a CPU, and the share of equal letters of its HSP (decision 058)."""
BAND_CELLS = 500
"""To align a letter in a band takes about as long as so many cells of other boxes."""
MOST_HSPS = 10_000_000
"""Of all parts: to merge as many takes some 2 GB and a minute or two."""
MANY_HSPS = 20_000
"""Of all parts: to merge and chain more takes so long that nothing should wait for that."""


@dataclass(frozen=True, slots=True)
class PartNote:
    """What Redis keeps of an answered part: its file's digest, who computed, what was counted, and its rows.

    merged: in the second round the digest of the list that was aligned.
    """

    sha256: str
    engine: str
    rows: int
    counts: Counts = field(default_factory=Counts)
    merged: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonCertificate:
    """What was done: all HSPs were found, but for those of seeds that the policy has left out.

    exact: it has left out none.
    query_words, subject_words: those that engines have listed, on each strand, which are all that there are.
    """

    exact: bool
    query_words: int
    subject_words: int
    policy: Policy
    parts: int
    engines: tuple[str, ...]
    software: str


@dataclass(frozen=True, slots=True)
class ComparedGenomes:
    """A comparison that has succeeded: digests of its files, that of alignments empty without gaps."""

    certificate: ComparisonCertificate
    summary: Summary
    hsps: str
    alignments: str
    chains: str


@dataclass(frozen=True, slots=True)
class FoundHsps:
    """What the first round has found: the digest of the merged HSPs, what was counted on each strand, who computed."""

    sha256: str
    counts: tuple[Counts, ...]
    parts: int
    engines: tuple[str, ...]


_NOTE, _COMPARED, _FOUND = TypeAdapter(PartNote), TypeAdapter(ComparedGenomes), TypeAdapter(FoundHsps)
Made = TypeVar("Made")


def plan(asked: ComparisonParameters, genomes: Genomes, digests: Sequence[str], title: str) -> NewJob:
    """A comparison of two genomes, of which digests are known."""
    letters, expected = letters_of(asked, genomes), expected_cells(asked, genomes)
    parts = len(asked.comparison.parts(genomes.query, genomes.subject))
    return NewJob(
        kind=COMPARISON_NAME,
        request=asked.model_dump_json(by_alias=True),
        content=(asked.model_dump_json(by_alias=True), *digests, title),
        target=DeviceTarget(parts),
        residues=0,
        cells=LETTER_CELLS * max(1, letters) + expected,
        work=Work(searches=1, letters=max(1.0, letters / parts)),
        batch="",
        title=title,
        rounds=2 if asked.gapped == "exact" else 1,
        later=Work(boxed=_boxed(genomes)) if asked.gapped == "exact" else None,
    )


def expected_cells(asked: ComparisonParameters, genomes: Genomes) -> int:
    """Cells of all boxes before any HSP is known: by the letters alone."""
    return LETTER_BOX_CELLS * (len(genomes.query) + len(genomes.subject)) if asked.gapped == "exact" else 0


def _boxed(genomes: Genomes) -> float:
    """Letters around whose HSPs boxes are aligned."""
    return max(1.0, len(genomes.query) + len(genomes.subject))


def letters_of(asked: ComparisonParameters, genomes: Genomes) -> int:
    """Letters of both genomes, once for each strand that is compared."""
    return (len(genomes.query) + len(genomes.subject)) * len(asked.comparison.both)


def run(place: Workplace, parts: Sequence["LeasedPart"]) -> Steps[list[PartAnswer]]:
    """Find the HSPs of each part, or, in the second round, align what is around its share of all HSPs."""
    answers = []
    for part in parts:
        # By what was leased: should the round end meanwhile, the answer is not taken for one of the next.
        do = _find if part.work.letters else _align
        answers.append((yield from do(place, part)))
    return answers


def _find(place: Workplace, part: "LeasedPart") -> Steps[PartAnswer]:
    asked, all_cells = _asked(part), cells(part, place)
    genomes = _genomes(place, part)
    own = asked.comparison.parts(genomes.query, genomes.subject)[part.number]
    found = yield from _in_steps(place.genomes.find(genomes.query, genomes.subject, asked.comparison, own), all_cells)
    packed = found.hsps.pack()
    place.files.keep_part(part.search, part.number, packed)
    note = PartNote(_digest(packed), place.genomes.name, len(found.hsps), found.counts)
    return PartAnswer(pack_part(_NOTE, note), all_cells)


def _align(place: Workplace, part: "LeasedPart") -> Steps[PartAnswer]:
    asked, genomes = _asked(part), _genomes(place, part)
    merged, digest = ComparisonFiles(place.files, part.search).merged()
    boxes = Boxes.around(genomes.query, genomes.subject, merged)
    hsps = merged[dealt(boxes.cells, part.number, part.target.parts)]
    own_cells = max(1, cells_of(genomes.query, genomes.subject, hsps))
    aligning = align_boxes(genomes.query, genomes.subject, hsps, asked.scoring, place.pairs)
    aligned = yield from _in_steps(_shares(aligning, own_cells), cells(part, place))
    packed = aligned.pack()
    place.files.keep_part(part.search, part.number, packed)
    note = PartNote(_digest(packed), place.pairs.name, len(aligned), merged=digest)
    return PartAnswer(pack_part(_NOTE, note), own_cells)


def _genomes(place: Workplace, part: "LeasedPart") -> Genomes:
    return kept_genomes(place.files.folder(part.search), _asked(part).model_dump_json(by_alias=True))


def _in_steps(shares: Generator[float, None, Made], all_cells: int) -> Steps[Made]:
    """Work that says which share of it is done, as steps of cells."""
    told = 0

    def step(share: float) -> Step:
        nonlocal told
        before, told = told, max(told, round(share * all_cells))
        return Step(told - before)

    return mapped(shares, step)


def _shares(aligning: BoxAligning, all_cells: int) -> Generator[float, None, Alignments]:
    """Work that says how many cells are done since the last time, by shares."""
    done = 0

    def share(cells: int) -> float:
        nonlocal done
        done += cells
        return min(1.0, done / all_cells)

    return mapped(aligning, share)


def advance(answered: Answered, front_end: FrontEnd) -> bytes | Round:
    """The merged HSPs after the first round, aligned in a second one where that is asked for; then the result.

    Raises EngineError where the parts have not found or aligned what they should, TooManyHsps, TooManyCells
    where a job may not align so much, DamagedComparison, DamagedSequences.
    """
    asked = ComparisonParameters.model_validate_json(answered.request)
    files = ComparisonFiles(front_end.files, answered.job)
    notes = [_note(number, answered.parts[b"%d" % number]) for number in range(len(answered.parts))]
    genomes = files.genomes(asked)
    if answered.round > 1:
        found = _FOUND.validate_json(files.found())
        return _result(asked, genomes, found, files, notes)
    found = _found(asked, genomes, files, notes)
    if asked.gapped == "exact":
        files.keep_found(_FOUND.dump_json(found))
        return _second_round(asked, genomes, files.hsps(found.sha256), front_end.pair_bounds.max_alignment_cells)
    return _result(asked, genomes, found, files, [])


class TooManyHsps(LimitExceeded):
    """More HSPs than are merged; most are those of repeats."""

    def __str__(self) -> str:
        return (
            f"the genomes have {self.actual:,} HSPs, and {self.limit:,} are merged: set max_frequency, ask for longer "
            "ones (min_length), or mask repeats as N"
        )


class TooManyCells(LimitExceeded):
    """Boxes that have more cells than a job may align; found once the HSPs are known."""

    def __str__(self) -> str:
        return (
            f"the boxes around the HSPs have {self.actual:,} cells, and a job may align {self.limit:,} ({self.name}): "
            "ask for longer HSPs (min_length), for regions, or without gaps"
        )


def _second_round(asked: ComparisonParameters, genomes: Genomes, hsps: Hsps, most: int) -> Round:
    """Aligning, in at least as many parts as finding: what comes late of that must have a place."""
    boxes = Boxes.around(genomes.query, genomes.subject, hsps)
    sizes = boxes.cells[boxes.aligned]
    if (every := int(sizes.sum())) > most:
        raise TooManyCells("max_alignment_cells", most, every)
    parts = len(asked.comparison.parts(genomes.query, genomes.subject))
    filled = _filled(boxes, hsps)[boxes.aligned]
    # Boxes that share a band cost less together.
    parts = max(parts, min(MOST_PARTS, -(-int(filled.sum()) // PART_CELLS)))
    long = filled > LONG_CELLS
    numbers = max(1, len(sizes)), int(filled[~long].sum()), int(filled[long].sum())
    pairs, short, long_ = (each / parts for each in numbers)
    boxed = _boxed(genomes) / parts
    work = Work(searches=1, pairs=pairs, pair_cells=short, way_cells=long_, ways=pairs, boxed=boxed)
    return Round(DeviceTarget(parts), work, "aligning", max(0, every - expected_cells(asked, genomes)))


def _filled(boxes: Boxes, hsps: Hsps) -> Numbers:
    """The cells of each box that a CPU fills, about: those of a band where its letters are mostly equal."""
    letters, cells = boxes.letters // 2, boxes.cells
    banded = (letters >= LEAST_BAND) & (letters <= MOST_BAND) & (hsps.identity >= 100 * ALIKE)
    return np.where(banded, np.minimum(cells, BAND_CELLS * letters), cells)


def _note(number: int, packed: bytes) -> PartNote:
    return read_part(_NOTE, b"%d" % number, packed)


def _found(
    asked: ComparisonParameters, genomes: Genomes, files: ComparisonFiles, notes: Sequence[PartNote]
) -> FoundHsps:
    """Merge what all parts have found, and keep it."""
    if (rows := sum(note.rows for note in notes)) > MOST_HSPS:
        raise TooManyHsps("hsps", MOST_HSPS, rows)
    parts = asked.comparison.parts(genomes.query, genomes.subject)
    found = [_read(files, number, note, Hsps.read) for number, note in enumerate(notes)]
    hsps = merge_hsps(genomes.query, genomes.subject, asked.comparison, found)
    counts = tuple(
        Counts.sum([note.counts for part, note in zip(parts, notes, strict=True) if part.reverse == reverse])
        for reverse in asked.comparison.both
    )
    check_words(genomes.query, genomes.subject, asked.comparison, counts)
    check_letters(genomes.query, genomes.subject, Alignments.of_hsps(hsps))
    return FoundHsps(files.keep_hsps(hsps), counts, len(parts), tuple(note.engine for note in notes))


def _read(files: ComparisonFiles, number: int, note: PartNote, read: Callable[[bytes], Made]) -> Made:
    """What a part has answered; raises UnreadablePart, so that it is done once more."""
    try:
        return read(files.part(number, note.sha256))
    except (DamagedComparison, UnreadableHsps, UnreadableAlignments):
        raise UnreadablePart(b"%d" % number) from None


def _result(
    asked: ComparisonParameters, genomes: Genomes, found: FoundHsps, files: ComparisonFiles, notes: Sequence[PartNote]
) -> bytes:
    """What is kept of a comparison; notes: of the second round, if there was one."""
    compared = Compared(genomes.query, genomes.subject, asked.comparison, files.hsps(found.sha256), found.counts)
    gapped, digest = None, ""
    if notes:
        gapped = Gapped(_aligned(compared, found, files, notes), asked.scoring)
        digest = files.keep_alignments(gapped.alignments)
    engines = tuple(sorted({*found.engines, *(note.engine for note in notes)}))
    chains = chains_found(compared, gapped)
    summary, words = summarise(compared, gapped, chains), found.counts[0]
    certificate = ComparisonCertificate(
        exact=summary.policy.all_seeds,
        query_words=words.query_words,
        subject_words=words.subject_words,
        policy=summary.policy,
        parts=found.parts,
        engines=engines,
        software=software().version,
    )
    kept = files.keep_chains(ChainList.of(chains))
    result = ComparedGenomes(certificate, summary, found.sha256, digest, kept)
    return pack(_COMPARED.dump_json(result))


def _aligned(compared: Compared, found: FoundHsps, files: ComparisonFiles, notes: Sequence[PartNote]) -> Alignments:
    """The different alignments of all HSPs, in their order."""
    sizes = Boxes.around(compared.query, compared.subject, compared.hsps).cells
    rows = [dealt(sizes, number, len(notes)) for number in range(len(notes))]
    parts = []
    for number, (note, own) in enumerate(zip(notes, rows, strict=True)):
        if note.merged != found.sha256:
            # It came late, of the first round.
            raise UnreadablePart(b"%d" % number)
        aligned = _read(files, number, note, Alignments.read)
        if len(aligned) != len(own):
            raise EngineError(f"part {number} has aligned other HSPs than those that were found")
        parts.append(aligned)
    return distinct(Alignments.joined(parts).select(np.argsort(np.concatenate(rows))))


def read_compared(packed: bytes) -> ComparedGenomes:
    """Read what `advance` made of a comparison that has succeeded."""
    return _COMPARED.validate_json(unpack(packed))


def is_large(answered: Answered) -> bool:
    """Whether it takes long to merge the parts, or to chain what they have found."""
    notes = (_NOTE.validate_json(unpack(part)) for part in answered.parts.values())
    return sum(note.rows for note in notes) >= MANY_HSPS


def cells(part: "LeasedPart", place: Workplace) -> int:
    """What a part's letters count for; in the second round, the average of its parts."""
    return max(1, round(part.work.device_cells))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _asked(part: "LeasedPart") -> ComparisonParameters:
    assert isinstance(part.request, ComparisonParameters)
    return part.request


COMPARISON = Kind(COMPARISON_NAME, ComparisonParameters.model_validate_json, cells, run, advance, is_large)
