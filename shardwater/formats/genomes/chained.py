"""Chains of genomes as the format `chain` takes them."""

from collections.abc import Iterator

import numpy as np

from shardwater.formats.genomes.layout import ROWS, ChainBlocks
from shardwater.genomes.chain_list import ChainList
from shardwater.genomes.genome import Genome


def chain_blocks(query: Genome, subject: Genome, chains: ChainList) -> Iterator[ChainBlocks]:
    """Each chain with its stretches, of which no two share a letter; made as they are asked for."""
    firsts = chains.firsts
    for first in range(0, len(chains), ROWS):
        rows, borders = chains.rows[first : first + ROWS], firsts[first : first + ROWS + 1]
        stretches = chains.stretches[borders[0] : borders[-1]]
        blocks = np.stack([stretches[name].astype(np.int64) for name in ("query", "subject", "length")], axis=1)
        heads = blocks[borders[:-1] - borders[0]]
        records = query.records(heads[:, 0]).tolist(), subject.records(heads[:, 1]).tolist()
        own = np.split(blocks, borders[1:-1] - borders[0])
        every = zip(*records, rows["reverse"].tolist(), rows["score"].tolist(), own, strict=True)
        yield from (ChainBlocks(*each) for each in every)
