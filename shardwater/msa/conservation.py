"""What the columns of an MSA have: how many letters, how many that are the query's, and how varied they are."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shardwater.msa.msa import GAP, Msa
from shardwater.sequences.alphabet import CODE_TABLE, LETTERS
from shardwater.statistics.background import RESIDUES
from shardwater.statistics.length_regression import mapped

Numbers = npt.NDArray[np.float64]
_CODES = np.frombuffer(CODE_TABLE, np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Conservation:
    """Of each column, (positions of the query,); the query counts as a row.

    depth: rows with a letter there; identical: those with the query's; entropy: of its residues, in bits, from 0 where
    all are the same to log2(20) (Shannon 1948); gaps and letters that are no residues are left out of it.
    """

    depth: npt.NDArray[np.int64]
    identical: npt.NDArray[np.int64]
    entropy: Numbers


def conservation(msa: Msa) -> Conservation:
    """The figures of all columns."""
    query = np.frombuffer(msa.query.residues, np.uint8)
    counts = np.zeros((len(LETTERS), msa.columns), np.int64)
    depth, identical = np.ones(msa.columns, np.int64), np.ones(msa.columns, np.int64)
    counts[_CODES[query], np.arange(msa.columns)] += 1
    for first, last in msa.batches():
        letters = msa.aligned(first, last)
        depth += (letters != GAP).sum(axis=0)
        identical += (letters == query).sum(axis=0)
        codes = np.where(letters == GAP, len(LETTERS), _CODES[letters])
        for code in range(RESIDUES):
            counts[code] += (codes == code).sum(axis=0)
    return Conservation(depth, identical, _entropy(counts[:RESIDUES]))


def _entropy(counts: npt.NDArray[np.int64]) -> Numbers:
    all_of_them = np.maximum(1, counts.sum(axis=0))
    entropy = np.zeros(counts.shape[1])
    # One residue after another: a sum over an axis depends on the processor.
    for each in counts:
        share = each / all_of_them
        entropy -= share * mapped(math.log2, np.where(each > 0, share, 1.0))
    return entropy + 0.0
