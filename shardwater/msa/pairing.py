"""Rows of several chains' MSAs paired by taxon: what is in one row comes from one organism.

As AlphaFold-Multimer (Evans et al. 2021, bioRxiv 2021.10.04.463034) and ColabFold's server pair them, by the best row
of a taxon in each chain.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, get_args

import numpy as np

from shardwater.msa.msa import Msa
from shardwater.msa.texts import Numbers

PairingName = Literal["greedy", "complete"]
PAIRINGS: tuple[PairingName, ...] = get_args(PairingName)
NOBODY = -1
"""A chain that has no row of a taxon."""


def pairs_of(taxids: Sequence[Iterable[int]], pairing: PairingName) -> Numbers:
    """Row numbers, (pairs, chains), NOBODY where a chain has none. taxids: of each chain's rows, the best first.

    `greedy` pairs each taxon that two chains or more have, `complete` those that all have; of one chain alone there is
    no pair. Taxid 0 is no taxon. The first pairs have most chains; of as many, those whose rows' ranks, from 1,
    multiplied are the least; then the lower taxid.
    """
    firsts: list[dict[int, int]] = [{} for _ in taxids]
    for best, chain in zip(firsts, taxids, strict=True):
        for number, taxid in enumerate(chain):
            if taxid:
                best.setdefault(taxid, number)
    least = len(firsts) if pairing == "complete" else 2
    found = []
    for taxid in sorted(set().union(*firsts)):
        rows = [best.get(taxid, NOBODY) for best in firsts]
        ranks = [row + 1 for row in rows if row != NOBODY]
        if len(ranks) >= max(2, least):
            found.append((-len(ranks), math.prod(ranks), taxid, rows))
    found.sort()
    return np.array([rows for *_, rows in found], np.int64).reshape(-1, len(firsts))


def paired(chains: Sequence[Msa], pairing: PairingName) -> Iterator[Msa]:
    """The paired rows of each chain: as many of each, and a row of gaps where it has none of a taxon.

    They are copied as they are asked for.
    """
    pairs = pairs_of([chain.figures["taxid"].tolist() for chain in chains], pairing)
    return (chain.take(rows) for chain, rows in zip(chains, pairs.T, strict=True))
