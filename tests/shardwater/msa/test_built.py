"""A result's MSA: whole, or filtered."""

from dataclasses import replace

from shardwater.msa.built import built
from shardwater.msa.provenance import Provenance
from shardwater.search.rounds import RoundReport
from shardwater.sequences.fasta import Record
from tests.support.example_results import ALIGNED, FOUND, UNALIGNED, result_of

QUERY = Record("q1", b"A" * 101)
ROUNDS = (RoundReport(1, 2, 0, ("P1",), ()),)


def test_it_has_a_row_for_each_alignment_and_says_what_was_searched() -> None:
    result = result_of(replace(FOUND, hits=(ALIGNED, UNALIGNED), rounds=ROUNDS))
    one = built(QUERY, result, diverse=False)
    assert (len(one.msa), one.found, one.rounds) == (1, 1, ROUNDS)
    assert one.msa.provenance == Provenance.of(result, diverse=False)
    asked = one.msa.provenance.parameters
    assert asked is not None
    parameters = result.parameters
    assert (asked["max_sequences"], asked["evalue"]) == (parameters.max_target_seqs, parameters.evalue)
    assert (asked["filter"], asked["matrix"], asked["iterations"]) == ("none", parameters.matrix, 1)


def test_the_filter_leaves_fewer_than_were_found() -> None:
    # From 100 rows on those that score too little go.
    result = result_of(replace(FOUND, hits=tuple(replace(ALIGNED, rank=rank + 1) for rank in range(100))))
    one = built(QUERY, result, diverse=True)
    assert (len(one.msa), one.found) == (0, 100)
    assert len(built(QUERY, result, diverse=False).msa) == 100
