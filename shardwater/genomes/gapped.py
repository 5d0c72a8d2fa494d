"""HSPs aligned with gaps: the box around each HSP is aligned locally, exactly, by an engine of pairs."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from shardwater.alignment.scheme import Scheme
from shardwater.errors import EngineError, ScoringError
from shardwater.genomes.alignments import MATCHING, ROW, Alignments
from shardwater.genomes.boxes import Boxes
from shardwater.genomes.checked import check_letters
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps, Numbers
from shardwater.pairs.batch import PairBatch
from shardwater.pairs.columns import KIND_BITS, Columns
from shardwater.pairs.engine import PairEngine
from shardwater.pairs.strands import align_strands
from shardwater.scoring.table import match_table

BoxAligning = Generator[int, None, Alignments]
"""Yields cells as they are computed, cells_of in all; may be closed after any step."""


@dataclass(frozen=True, slots=True)
class GappedScoring:
    """How boxes are scored: BLASTN's scores, if nothing else is said. A gap of n letters costs gap_open + n gap_extend.

    Raises ScoringError. match is above 0 and mismatch below, so that every box has an alignment, and few all of it.
    """

    match: int = 2
    mismatch: int = -3
    gap_open: int = 5
    gap_extend: int = 2

    def __post_init__(self) -> None:
        if self.match < 1 or self.mismatch > -1:
            raise ScoringError("match is at least 1, and mismatch at most -1")
        self.scheme()

    def scheme(self) -> Scheme:
        """The scheme that boxes are aligned with."""
        return Scheme(match_table(self.match, self.mismatch), self.gap_open, self.gap_extend)

    def paired(self, matches: Numbers, pairs: Numbers) -> Numbers:
        """What so many pairs of letters score, of which so many match."""
        return self.match * matches + self.mismatch * (pairs - matches)

    def cost(self, gaps: Numbers, letters: Numbers) -> Numbers:
        """What so many gaps of so many letters together cost."""
        return self.gap_open * gaps + self.gap_extend * letters


@dataclass(frozen=True, slots=True, eq=False)
class Gapped:
    """The different alignments of a comparison's boxes (`distinct`), and how they are scored."""

    alignments: Alignments
    scoring: GappedScoring


def align_boxes(query: Genome, subject: Genome, hsps: Hsps, scoring: GappedScoring, engine: PairEngine) -> BoxAligning:
    """The best local alignment of each HSP's box, in the order of HSPs; any part of a list may be done by itself.

    A box that is too large has its HSP, as it is, with its score by this scoring; so has one of a genome with itself
    whose best alignment is that of letters with themselves. Raises EngineError where letters are not what an engine
    says.
    """
    boxes = Boxes.around(query, subject, hsps)
    large = np.flatnonzero(~boxes.aligned)
    rows, found, scheme = [large], [_as_it_is(hsps[large], scoring)], scoring.scheme()
    with closing(_prepared(boxes, query, subject)) as prepared:
        for batch, pairs in prepared:
            with closing(align_strands(pairs, scheme, "alignment", "forward", engine)) as parts:
                for part in parts:
                    if part.answers is not None and len(part.answers[0]):
                        own = batch[part.answers[0].numbers]
                        rows.append(own)
                        found.append(_placed(part.answers[0], boxes, own, scoring))
                    yield part.progress
    aligned = Alignments.joined(found).select(np.argsort(np.concatenate(rows)))
    check_letters(query, subject, aligned)
    return _without_itself(aligned, hsps, scoring) if query.same_as(subject) else aligned


def _prepared(boxes: Boxes, query: Genome, subject: Genome) -> Generator[tuple[Numbers, PairBatch], None, None]:
    """Batches and their letters; those of the next one are gathered while a device aligns these."""
    batches = list(boxes.batches())
    with ThreadPoolExecutor(1, thread_name_prefix="boxes") as gathering:
        following = [gathering.submit(boxes.pairs, batch, query, subject) for batch in batches[:1]]
        for number, batch in enumerate(batches):
            pairs = following.pop().result()
            following = [gathering.submit(boxes.pairs, each, query, subject) for each in batches[number + 1 :][:1]]
            yield batch, pairs


def _without_itself(aligned: Alignments, hsps: Hsps, scoring: GappedScoring) -> Alignments:
    """The same with HSPs in place of alignments along the main diagonal, which their boxes may touch."""
    rows = aligned.rows
    itself = (rows["query"] == rows["subject"]) & (rows["query_end"] == rows["subject_end"]) & ~aligned.reverse
    others, own = np.flatnonzero(~itself), np.flatnonzero(itself)
    joined = Alignments.joined([aligned.select(others), _as_it_is(hsps[own], scoring)])
    return joined.select(np.argsort(np.concatenate((others, own))))


def distinct(alignments: Alignments) -> Alignments:
    """The same without those whose strand, ranges and path an earlier one has."""
    rows = alignments.rows
    places = [rows[name] for name in ("query", "query_end", "subject", "subject_end", "reverse")]
    order = np.lexsort(places)
    other = np.zeros(len(rows), np.bool_)
    for each in places:
        other[1:] |= each[order][1:] != each[order][:-1]
    group = np.cumsum(other)
    # Few have the places of another one; only their paths are compared.
    several, seen, firsts = np.bincount(group, minlength=1)[group] > 1, set[tuple[int, bytes]](), alignments.firsts
    kept = np.ones(len(rows), np.bool_)
    for row, number in zip(order[several].tolist(), group[several].tolist(), strict=True):
        path = number, alignments.runs[firsts[row] : firsts[row + 1]].tobytes()
        kept[row] = path not in seen
        seen.add(path)
    return alignments.select(np.flatnonzero(kept))


def _as_it_is(hsps: Hsps, scoring: GappedScoring) -> Alignments:
    alignments = Alignments.of_hsps(hsps)
    alignments.rows["score"] = scoring.paired(hsps.matches, hsps.length)
    return alignments


def _placed(part: Columns, boxes: Boxes, own: Numbers, scoring: GappedScoring) -> Alignments:
    """What was found in boxes, `own` by their numbers, as alignments of genomes."""
    if not part.found.all():
        raise EngineError("the engine has found no alignment where an HSP is")
    rows, places, reverse = np.zeros(len(part), ROW), part.places.astype(np.int64), boxes.reverse[own]
    backward = boxes.query_end[own]
    rows["query"] = np.where(reverse, backward - places[:, 1], boxes.query[own] + places[:, 0])
    rows["query_end"] = np.where(reverse, backward - places[:, 0], boxes.query[own] + places[:, 1])
    rows["subject"], rows["subject_end"] = boxes.subject[own] + places[:, 2], boxes.subject[own] + places[:, 3]
    rows["score"], rows["reverse"], rows["runs"] = part.scores, reverse, part.lasts - part.firsts
    return _counted(Alignments(rows, part.row_runs), scoring)


def _counted(found: Alignments, scoring: GappedScoring) -> Alignments:
    """The same with their columns and matches; a pair of letters scores one thing if it matches, else another one."""
    firsts, lengths = found.firsts[:-1], (found.runs >> KIND_BITS).astype(np.int64)
    paired = (found.runs & (1 << KIND_BITS) - 1) == MATCHING
    columns, pairs, gaps = (np.add.reduceat(each, firsts) for each in (lengths, lengths * paired, ~paired))
    worth = found.column("score") + scoring.cost(gaps, columns - pairs) - scoring.mismatch * pairs
    matches, rest = np.divmod(worth, scoring.match - scoring.mismatch)
    if rest.any() or (matches > pairs).any():
        raise EngineError("an alignment is not worth its score")
    found.rows["columns"], found.rows["matches"] = columns, matches
    return found
