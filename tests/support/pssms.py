"""Queries with scores by position, for tests: by chance, like a matrix with noise, and just a matrix's."""

import json

import numpy as np

from shardwater.formats.pssms.json_text import write_json
from shardwater.formats.pssms.saved import SavedPssm
from shardwater.scoring.pssm import MOST_PSSM, Pssm
from shardwater.scoring.scoring import Scoring
from shardwater.sequences.alphabet import LETTERS, encode
from shardwater.sequences.fasta import Record


def any_pssm(rng: np.random.Generator, positions: int) -> Pssm:
    """Any scores that there may be; lower ones more often, as otherwise everything is aligned with everything."""
    scores = rng.integers(-MOST_PSSM, MOST_PSSM + 1, (positions, len(LETTERS)))
    return Pssm(np.minimum(scores, rng.integers(-MOST_PSSM, MOST_PSSM + 1, scores.shape)).astype(np.int32))


def noisy_pssm(rng: np.random.Generator, query: bytes, scoring: Scoring, noise: int = 3) -> Pssm:
    """As profiles are: a matrix's scores and up to so much more or less."""
    scores = scoring.scores[encode(query)]
    return Pssm((scores + rng.integers(-noise, noise + 1, scores.shape)).astype(np.int32))


def with_pssm(header: str, query: bytes, pssm: Pssm) -> Record:
    """A query that has one."""
    return Record(header, query, pssm=pssm)


def like_matrix(record: Record, scoring: Scoring) -> Record:
    """A query whose PSSM says what the matrix says."""
    return with_pssm(record.header, record.residues, Pssm(scoring.scores[encode(record.residues)]))


def pssm_json(query: str = "MKVLAAGWDEHHKLMNPQRS", title: str = "p profile", **changes: object) -> str:
    """A PSSM as JSON that says what BLOSUM62 says of a query, with other members in place of some."""
    scoring = Scoring("BLOSUM62", 11, 1)
    record = like_matrix(Record(title, query.encode()), scoring)
    told = json.loads("".join(write_json(SavedPssm(record, scoring.matrix, scoring.gap_open, scoring.gap_extend))))
    return json.dumps({**told, **changes})
