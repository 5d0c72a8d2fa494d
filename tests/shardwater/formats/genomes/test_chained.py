"""Chains as the format `chain` takes them."""

from shardwater.formats.genomes.chained import chain_blocks
from shardwater.genomes.chain_list import ChainList
from shardwater.genomes.chains import chains_of
from tests.support.genome_lists import GAPPED, QUERY, SUBJECT, alignments, chain


def test_chains_have_their_records_and_stretches() -> None:
    listed = alignments(GAPPED)
    chains = chains_of(QUERY, SUBJECT, listed)
    found = list(chain_blocks(QUERY, SUBJECT, ChainList.of(chains)))
    # What scores nothing is in no chain.
    assert [each.score for each in found] == sorted(filter(None, listed.column("score").tolist()), reverse=True)
    for each, member in zip(found, chains.members.tolist(), strict=True):
        expected = chain(GAPPED[member], each.score)
        assert (each.query, each.subject, each.reverse) == (expected.query, expected.subject, expected.reverse)
        assert each.blocks.tolist() == expected.blocks.tolist()


def test_no_alignments_have_no_chains() -> None:
    none = ChainList.of(chains_of(QUERY, SUBJECT, alignments([])))
    assert list(chain_blocks(QUERY, SUBJECT, none)) == []
