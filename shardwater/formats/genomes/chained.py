"""Chains of genomes as the format `chain` takes them."""

import numpy as np

from shardwater.formats.genomes.layout import ChainBlocks
from shardwater.genomes.chains import Chains
from shardwater.genomes.genome import Genome


def chain_blocks(query: Genome, subject: Genome, chains: Chains) -> list[ChainBlocks]:
    """Each chain with its stretches, of which no two share a letter."""
    stretches = chains.stretches()
    blocks = np.stack((stretches.query, stretches.subject, stretches.length), axis=1)
    ends = np.cumsum(np.bincount(stretches.owners, minlength=len(chains)))
    records = query.records(chains.begin("query")).tolist(), subject.records(chains.begin("subject")).tolist()
    every = zip(*records, chains.reverse.tolist(), chains.scores.tolist(), np.split(blocks, ends)[:-1], strict=True)
    return [ChainBlocks(*each) for each in every]
