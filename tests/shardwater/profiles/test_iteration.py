from dataclasses import replace

import numpy as np
import pytest

from shardwater.errors import AlignError, ScoringError
from shardwater.profiles.iteration import Round, included, inclusion_evalue, next_profile
from shardwater.scoring.scoring import Scoring
from shardwater.search.hits import Hsp
from shardwater.search.judging import Evalues
from shardwater.search.merge import Hit
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record

SCORING = Scoring("BLOSUM62", 11, 1)
QUERY = Record("q", b"MKLVAGWDEHMKLVAGWDEH")


def hsp(start, qseq, hseq):
    """Of an alignment, what a profile is made of."""
    end = start + len(qseq.replace("-", "")) - 1
    return Hsp(start, end, 1, len(hseq.replace("-", "")), 0, 0, 0, len(qseq), "", qseq, "", hseq)


def hit(accession, evalue, *hsps, table=None):
    evalues = None if table is None else Evalues(table, evalue, 50.0, None)
    return Hit(1, accession, "", 20, 50, 30.0, evalue, None, None, hsps, evalues)


def test_the_larger_of_two_evalues_decides():
    assert inclusion_evalue(hit("a", 1e-3)) == 1e-3
    assert inclusion_evalue(hit("a", 1e-3, table=1e-5)) == 1e-3
    assert inclusion_evalue(hit("a", 1e-5, table=1e-3)) == 1e-3
    hits = [hit("a", 1e-9), hit("b", 1e-8, table=0.1), hit("c", 0.002), hit("d", 0.0021)]
    assert [each.accession for each in included(hits)] == ["a", "c"]
    assert [each.accession for each in included(hits, 0.1)] == ["a", "b", "c", "d"]


def test_further_alignments_are_included_by_their_own_evalues():
    hsps = [
        replace(hsp(1, "MKL", "MKL"), score=score, evalue=evalue) for score, evalue in ((50, 0.001), (40, 1), (9, 3))
    ]
    several = hit("a", 0.001, *hsps)
    assert [each.hsps for each in included([several])] == [tuple(hsps[:1])]
    assert [each.hsps for each in included([several], 1.0)] == [tuple(hsps[:2])]


def test_without_evalues_nobody_is_included():
    with pytest.raises(ScoringError, match="need other statistics"):
        included([hit("a", None)])


def test_a_round_tells_who_is_new_kept_and_lost():
    a, b, c = (hit(each, 1e-9) for each in "abc")
    first = Round.of([a, b])
    assert (first.number, first.included, first.new, first.kept, first.lost) == (1, ("a", "b"), ("a", "b"), (), ())
    second = Round.of([c, b], first)
    assert (second.number, second.new, second.kept, second.lost) == (2, ("c",), ("b",), ("a",))
    assert not second.converged
    assert Round.of([b], second).converged
    assert Round.of([]).converged


def test_a_profile_is_made_of_all_alignments():
    members = [
        hit("a", 1e-9, hsp(1, "MKLVAGWDEH", "MRLIAGWDDH"), hsp(11, "MKLV--AGW", "LKLVPPAGF")),
        hit("b", 1e-8, hsp(3, "LVAGW", "LL-GW")),
    ]
    scores = next_profile(QUERY, members, SCORING).pssm.scores
    alone = next_profile(QUERY, [], SCORING).pssm.scores
    assert scores.shape == (20, 24)
    for position, letter in ((1, b"R"), (10, b"L"), (16, b"F")):
        [code] = encode(letter)
        assert scores[position, code] > alone[position, code]
    assert np.array_equal(scores[17:], alone[17:])


def test_a_part_of_a_query_has_its_own_positions():
    part = QUERY.part(11, 20)
    member = hit("a", 1e-9, hsp(11, "MKLVAGWDEH", "MRLVAGWDDH"))
    of_whole = next_profile(QUERY, [member], SCORING).pssm.scores
    assert np.array_equal(next_profile(part, [member], SCORING).pssm.scores, of_whole[10:])


def test_who_is_included_has_to_be_aligned():
    with pytest.raises(AlignError, match="ask for more alignments"):
        next_profile(QUERY, [hit("a", 1e-9)], SCORING)
