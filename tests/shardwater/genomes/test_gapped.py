"""HSPs aligned with gaps: paths, scores and places, whatever the part of the list; and the same path once."""

import re
from dataclasses import replace

import numpy as np
import pytest

from shardwater.errors import EngineError, ScoringError
from shardwater.genomes import boxes
from shardwater.genomes.alignments import Alignments
from shardwater.genomes.boxes import Boxes, cells_of
from shardwater.genomes.equal_letters import equal_letters
from shardwater.genomes.gapped import BoxAligning, GappedScoring, align_boxes, distinct
from shardwater.genomes.genome import Genome
from shardwater.genomes.hsps import Hsps
from shardwater.genomes.stretches import Stretches
from shardwater.pairs.columns import KIND_BITS, RUN_KINDS
from shardwater.pairs.cpu import CpuPairs
from shardwater.sequences.named import Letters, reverse_complement
from shardwater.steps import finish
from tests.support.pairs import Scripted, answered

SCORING = GappedScoring()


def letters(seed: int, length: int) -> bytes:
    return np.random.default_rng(seed).choice(np.frombuffer(b"ACGT", np.uint8), length).tobytes()


FIRST, SECOND, THIRD = letters(1, 300), letters(2, 200), letters(3, 150)
QUERY = Genome.of([Letters("q", letters(4, 40) + FIRST + SECOND + THIRD + letters(5, 60))])
SUBJECT = Genome.of(
    [
        Letters("s1", letters(6, 30) + FIRST + b"GATTACA" + SECOND + letters(7, 250)),
        Letters("s2", letters(8, 150) + reverse_complement(SECOND[:120] + SECOND[125:] + THIRD)),
    ]
)
FORWARD = Hsps.of(np.array([40, 340]), np.array([30, 337]), np.array([300, 200]), np.array([300, 200]), False)
REVERSE = Hsps.of(np.array([540]), np.array([787 + 150]), np.array([150]), np.array([150]), True)
HSPS = Hsps.joined([FORWARD, REVERSE])


def aligned(aligning: BoxAligning) -> tuple[Alignments, int]:
    """What was found, and the cells that were told."""
    cells = list[int]()
    return finish(aligning, cells.append), sum(cells)


def found(hsps: Hsps, scoring: GappedScoring = SCORING) -> Alignments:
    return aligned(align_boxes(QUERY, SUBJECT, hsps, scoring, CpuPairs(1)))[0]


def cigars(alignments: Alignments) -> list[str]:
    words = [f"{word >> KIND_BITS}{RUN_KINDS[word % (1 << KIND_BITS)]}" for word in alignments.runs.tolist()]
    ends = alignments.firsts.tolist()
    return ["".join(words[ends[row] : ends[row + 1]]) for row in range(len(alignments))]


def recounted(alignments: Alignments, row: int, scoring: GappedScoring) -> list[int]:
    """Score, equal letters and columns, letter by letter."""
    each, i, j, score, equal, columns = alignments.rows[row], 0, 0, 0, 0, 0
    query = QUERY.letters[each["query"] : each["query_end"]].tobytes()
    subject = SUBJECT.letters[each["subject"] : each["subject_end"]].tobytes()
    query = reverse_complement(query) if each["reverse"] else query
    for length, kind in re.findall(r"(\d+)([MID])", cigars(alignments)[row]):
        columns += int(length)
        if kind == "M":
            same = sum(query[i + n] == subject[j + n] for n in range(int(length)))
            score += scoring.match * same + scoring.mismatch * (int(length) - same)
            equal += same
        else:
            score -= scoring.gap_open + scoring.gap_extend * int(length)
        i, j = i + int(length) * (kind != "D"), j + int(length) * (kind != "I")
    assert (i, j) == (len(query), len(subject))
    return [score, equal, columns]


def test_gaps_beside_hsps_are_found_on_both_strands() -> None:
    alignments = found(HSPS)
    # Each goes on beyond its gap, about as far as its box does.
    assert cigars(alignments) == ["299M7D94M", "92M7D202M", "4M1I225M5I20M"]
    assert alignments.reverse.tolist() == [False, False, True]
    for row in range(3):
        told = [int(alignments.rows[row][name]) for name in ("score", "matches", "columns")]
        assert told == recounted(alignments, row, SCORING)


def test_any_part_of_a_list_has_what_the_list_has_and_tells_its_cells() -> None:
    whole, cells = aligned(align_boxes(QUERY, SUBJECT, HSPS, SCORING, CpuPairs(1)))
    assert cells == cells_of(QUERY, SUBJECT, HSPS)
    order = [2, 0, 1]
    parts = [found(HSPS[np.array([row])]) for row in order]
    assert Alignments.joined(parts).pack() == found(HSPS[np.array(order)]).pack()
    assert Alignments.joined([parts[1], parts[2], parts[0]]).pack() == whole.pack()
    assert len(found(HSPS[:0])) == 0


def test_other_costs_make_other_paths() -> None:
    dear = GappedScoring(match=1, mismatch=-1, gap_open=300, gap_extend=1)
    alignments = found(FORWARD, dear)
    assert all(re.fullmatch(r"\d+M", cigar) for cigar in cigars(alignments))
    assert alignments.column("score").tolist() == [recounted(alignments, row, dear)[0] for row in range(2)]


def test_a_box_that_is_too_large_has_its_hsp(monkeypatch: pytest.MonkeyPatch) -> None:
    # Off by one letter: few of its pairs are equal.
    beside = np.array([40]), np.array([31]), np.array([300])
    [matches] = equal_letters(QUERY, SUBJECT, Stretches(np.array([0]), *beside, np.array([False])))
    mismatched = Hsps.of(*beside, np.array([matches]), False)
    monkeypatch.setattr(boxes, "MOST_BOX_CELLS", 400 * 400)
    alignments = found(Hsps.joined([mismatched, REVERSE]))
    assert cigars(alignments)[0] == "300M"
    assert alignments.column("score").tolist()[0] == 2 * matches - 3 * (300 - matches)
    assert alignments.column("columns").tolist()[1] > 150


def test_the_same_path_is_there_once_where_it_was_first() -> None:
    alignments = found(HSPS)
    doubled = Alignments.joined([alignments, alignments.select(np.array([2, 0, 1]))])
    assert distinct(doubled).pack() == alignments.pack()
    # The same places by another path are another alignment.
    other = Alignments(alignments.rows[:1].copy(), np.array([400 << KIND_BITS | 1], np.int32))
    other.rows["runs"] = 1
    assert len(distinct(Alignments.joined([alignments, other, other]))) == 4
    assert len(distinct(alignments.select(np.zeros(0, np.int64)))) == 0


def test_an_engine_that_finds_nothing_is_at_fault() -> None:
    nothing = answered([("A" * 440, "A" * 430)], [None], local=True)
    with pytest.raises(EngineError, match="no alignment where an HSP is"):
        aligned(align_boxes(QUERY, SUBJECT, FORWARD[:1], SCORING, Scripted([[nothing]])))


def test_an_alignment_that_cannot_have_its_score_is_a_fault() -> None:
    # The first of a batch is replayed, letter by letter, before; others are not.
    boxes = Boxes.around(QUERY, SUBJECT, FORWARD)
    pairs = boxes.pairs(next(boxes.batches()), QUERY, SUBJECT)
    [right] = CpuPairs(1).align_batch(pairs, SCORING.scheme(), "alignment")
    wrong = replace(right, scores=right.scores + np.array([0, 1]))
    with pytest.raises(EngineError, match="not worth its score"):
        aligned(align_boxes(QUERY, SUBJECT, FORWARD, SCORING, Scripted([[wrong]])))


def test_unknown_letters_match_nothing() -> None:
    some = letters(9, 60)
    both = Genome.of([Letters("n", some[:30] + b"NNN" + some[30:])])
    hsps = Hsps.of(np.array([0]), np.array([0]), np.array([63]), np.array([60]), False)
    found, _ = aligned(align_boxes(both, both, hsps, SCORING, CpuPairs(1)))
    assert [int(found.rows[0][name]) for name in ("score", "matches", "columns")] == [2 * 60 - 3 * 3, 60, 63]


@pytest.mark.parametrize("wrong", [{"match": 0}, {"mismatch": 0}, {"gap_open": -1}, {"gap_extend": -1}])
def test_scores_that_make_no_local_alignments_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ScoringError):
        GappedScoring(**wrong)
