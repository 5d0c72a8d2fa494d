"""UCSC's chain: a header a chain, then its blocks with what lies between them; the subject is the target."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from shardwater.formats.genomes.layout import ChainBlocks, Layout, Listed, names_of
from shardwater.formats.genomes.text_cells import Choices, Optional, rows_text

BLOCKS = 1 << 15
"""Of chains whose text is made together."""
_TABS, _ENDS = Choices.of([b"\t", b""]), Choices.of([b"\n", b"\n\n"])


def write_chain(listed: Listed, _: Layout) -> Iterator[str | bytes]:
    """Places count from 0; those of a reversed query along its reverse complement. Chains are numbered from 1."""
    names = names_of(listed.query), names_of(listed.subject)
    number = 1
    for some in _together(listed.chains):
        texts = _blocks(some).split(b"\n\n")[:-1]
        for each, text in zip(some, texts, strict=True):
            yield b"%s %d\n%s\n\n" % (_header(listed, each, names), number, text)
            number += 1


def _together(chains: Iterable[ChainBlocks]) -> Iterator[list[ChainBlocks]]:
    some, blocks = list[ChainBlocks](), 0
    for each in chains:
        some.append(each)
        blocks += len(each.blocks)
        if blocks >= BLOCKS:
            yield some
            some, blocks = [], 0
    if some:
        yield some


def _header(listed: Listed, chain: ChainBlocks, names: tuple[list[bytes], list[bytes]]) -> bytes:
    """Up to the chain's number."""
    query_size, size = int(listed.query.lengths[chain.query]), int(listed.subject.lengths[chain.subject])
    query_at, at = int(listed.query.offsets[chain.query]), int(listed.subject.offsets[chain.subject])
    queries, lengths = chain.blocks[:, 0] - query_at, chain.blocks[:, 2]
    query_begin, query_end = int(queries.min()), int((queries + lengths).max())
    if chain.reverse:
        query_begin, query_end = query_size - query_end, query_size - query_begin
    begin, end = int(chain.blocks[0, 1]) - at, int(chain.blocks[-1, 1] + chain.blocks[-1, 2]) - at
    target = b"%s %d + %d %d" % (names[1][chain.subject], size, begin, end)
    strand = b"-" if chain.reverse else b"+"
    query = b"%s %d %s %d %d" % (names[0][chain.query], query_size, strand, query_begin, query_end)
    return b"chain %d %s %s" % (chain.score, target, query)


def _blocks(chains: Sequence[ChainBlocks]) -> bytes:
    """The lines of several chains, an empty one after each."""
    blocks = np.concatenate([each.blocks for each in chains])
    counts = [len(each.blocks) for each in chains]
    reverse = np.repeat([each.reverse for each in chains], counts)
    last = np.zeros(len(blocks), np.bool_)
    last[np.cumsum(counts) - 1] = True
    query, subject, lengths = blocks.T
    query_end, following = query + lengths, np.roll(query, -1)
    # Backwards in the query the next block's end lies before this one's begin.
    between = np.where(reverse, query - np.roll(query_end, -1), following - query_end)
    target_between = np.roll(subject, -1) - subject - lengths
    choice = last.astype(np.int64)
    tab, end = _TABS.choose(choice), _ENDS.choose(choice)
    gaps = [Optional(np.where(last, 0, gap), ~last) for gap in (target_between, between)]
    return rows_text([lengths, tab, gaps[0], tab, gaps[1], end], len(blocks))
