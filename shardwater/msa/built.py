"""The MSA of a search's result: its hits stacked on the query, and filtered."""

from dataclasses import dataclass

from shardwater.msa.filtering import filtered
from shardwater.msa.msa import Msa
from shardwater.msa.provenance import Provenance
from shardwater.msa.stacking import members_of, organisms_of, stacked
from shardwater.search.merge import SearchResult
from shardwater.search.rounds import RoundReport
from shardwater.sequences.fasta import Record


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """An MSA, how many rows there were before it was filtered, and the rounds of its search."""

    msa: Msa
    found: int
    rounds: tuple[RoundReport, ...]


def built(query: Record, result: SearchResult, *, diverse: bool) -> Built:
    """The MSA of a search for this one query; diverse: whether it is filtered."""
    [one] = result.results
    whole = stacked(query, members_of(one.hits), organisms_of(one.hits), Provenance.of(result))
    return Built(filtered(whole) if diverse else whole, len(whole), one.rounds)
