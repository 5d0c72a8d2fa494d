"""The order of hits: by E-value or by score, the same to the byte however many shards there are, and exact."""

from dataclasses import replace

import numpy as np
import pytest
from pydantic import TypeAdapter

from shardwater.alignment.gotoh import align_local
from shardwater.search.hits import ShardResult
from shardwater.search.judging import Judge
from shardwater.search.parameters import Parameters
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record
from shardwater.statistics.composition import scales
from shardwater.statistics.distribution import Counts
from shardwater.statistics.evalue import SearchSpace
from tests.support.oracle import best_score
from tests.support.sharded import searched
from tests.support.tiers import mostly_thorough

STORED = TypeAdapter(ShardResult)


def wild_database(seed):
    """Some 150 subjects of very unlike lengths, many equal, with relatives of the query in all lengths; the query."""
    rng = np.random.default_rng(seed)
    letters = list("ARNDCQEGHILKMFPSTWYV"[: rng.integers(3, 21)])
    query = rng.choice(letters, rng.integers(8, 40))
    lengths = np.exp(rng.normal(rng.uniform(2, 4), rng.uniform(0.2, 1.2), rng.integers(60, 160))).astype(int) + 1
    subjects = [rng.choice(letters, min(length, 400)) for length in lengths]
    for subject in subjects[:: rng.integers(2, 9)]:
        piece = query[: rng.integers(1, len(query) + 1)][: len(subject)]
        subject[: len(piece)] = piece
    subjects += [subjects[0]] * int(rng.integers(1, 8))
    return ["".join(subject) for subject in subjects], "".join(query)


def every_score(database, query, scoring):
    """The score of every subject, by three loops."""
    table, codes = scoring.scores.tolist(), encode(query.residues).tolist()
    return [
        best_score(codes, encode(database.sequence(n)).tolist(), table, scoring.gap_open, scoring.gap_extend)
        for n in range(len(database))
    ]


def by_brute_force(database, query, parameters, scores):
    """The accessions in their order: every subject judged by its score, sorted, cut, and filtered."""
    codes = encode(query.residues).tolist()
    counts = Counts.of(database.lengths, np.array(scores))
    space = SearchSpace(len(query.residues), database.manifest.residues, len(database))
    judge = Judge.of(parameters, space, counts if parameters.surveyed else None)
    judged = []
    for subject, (score, length) in enumerate(zip(scores, database.lengths.tolist(), strict=True)):
        evalue = judge.statistics.evalue(score, length)
        depth = judge.fit.deviations([score], [length])[0] if judge.statistics.method == "fitted" else 0
        place = (-score, subject) if parameters.order == "score" else (evalue or 0, -depth, -score, subject)
        if score > 0:
            judged.append((place, subject, score, evalue, judge.statistics.bits(score, length)))
    best = [each for each in sorted(judged)[: parameters.max_target_seqs] if is_within(parameters, *each[3:])]
    if parameters.adjusted and judge.fit:
        best = adjusted(database, codes, parameters, judge, best)
    return [(database.accession(subject), score, evalue) for _, subject, score, evalue, _ in best]


def is_within(parameters, evalue, bits):
    """Whether the limits let these figures pass."""
    enough = parameters.min_bits is None or (bits is not None and bits >= parameters.min_bits)
    return enough and (evalue is None or evalue <= parameters.evalue)


def adjusted(database, codes, parameters, judge, best):
    """Those that are left when each is judged by what composition leaves of its score, in their new order."""
    query, left = np.array(codes, np.uint8), []
    for _, subject, score, _, _ in best:
        residues = encode(database.sequence(subject))
        [path] = align_local(query, [residues], parameters.scoring)
        stretches = query[path.query_start : path.query_end], residues[path.subject_start : path.subject_end]
        value = score * scales(query, [stretches], parameters.scoring.scores)[0]
        length = len(residues)
        evalue, bits = judge.statistics.evalue(value, length), judge.statistics.bits(value, length)
        depth = judge.fit.deviations([value], [length])[0]
        place = (-score, subject) if parameters.order == "score" else (evalue, -depth, -score, subject)
        left.append((place, subject, score, evalue, bits))
    return sorted(each for each in left if is_within(parameters, *each[3:]))


EVERYTHING = Parameters(evalue=1e300, max_target_seqs=12, alignments=4)
KINDS = {
    "fitted": EVERYTHING,
    "fitted, few": replace(EVERYTHING, max_target_seqs=3, alignments=1),
    "fitted, limits": replace(EVERYTHING, evalue=5.0, min_bits=8.0, max_target_seqs=40),
    "fitted by score": replace(EVERYTHING, order="score"),
    "adjusted": replace(EVERYTHING, composition="adjusted"),
    "adjusted, limits": replace(
        EVERYTHING, composition="adjusted", evalue=5.0, min_bits=8.0, max_target_seqs=40, alignments=40
    ),
    "adjusted by score": replace(EVERYTHING, composition="adjusted", order="score", evalue=20.0),
    "fitted, odd costs": replace(EVERYTHING, gap_open=3, gap_extend=2),
    "table": replace(EVERYTHING, statistics="table"),
    "table, limits": replace(EVERYTHING, statistics="table", evalue=50.0, min_bits=8.0),
    "table, another matrix": replace(EVERYTHING, statistics="table", matrix="PAM30", gap_open=9, gap_extend=1),
    "table by score": replace(EVERYTHING, statistics="table", order="score", score_distribution=True),
    "karlin-altschul": replace(EVERYTHING, statistics="karlin-altschul"),
    "none": replace(EVERYTHING, statistics="none", score_distribution=True),
}


@pytest.mark.parametrize("seed", mostly_thorough([0], range(1, 6)))
def test_hits_are_those_of_brute_force_however_many_shards(build, seed):
    subjects, letters = wild_database(seed)
    database = build([(f"s{number}", each) for number, each in enumerate(subjects)])
    query = Record("q", letters.encode())
    scores = {}
    for name, parameters in KINDS.items():
        costs = parameters.matrix, parameters.gap_open, parameters.gap_extend
        scores[costs] = scores.get(costs) or every_score(database, query, parameters.scoring)
        expected = by_brute_force(database, query, parameters, scores[costs])
        [whole] = searched(database, [query], parameters, 1)
        assert [(hit.accession, hit.score, hit.evalue) for hit in whole.hits] == expected, name
        assert all(len(hit.hsps) == (place < parameters.shown) for place, hit in enumerate(whole.hits)), name
        for count in (2, 5, 8):
            assert searched(database, [query], parameters, count) == (whole,), (name, count)
