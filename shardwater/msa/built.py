"""The MSA of a search's result: its hits stacked on the query, and filtered."""

from dataclasses import dataclass
from itertools import chain

from shardwater.msa.filtering import filtered
from shardwater.msa.msa import Msa
from shardwater.msa.provenance import Provenance
from shardwater.msa.stacking import organisms_of, rows_of, stacked
from shardwater.search.clusters import MemberHits, MembersReport
from shardwater.search.merge import SearchResult
from shardwater.search.rounds import RoundReport
from shardwater.sequences.fasta import Record


@dataclass(frozen=True, slots=True, eq=False)
class BuiltMsa:
    """An MSA, how many rows there were before it was filtered, the rounds of its search, and what became of members of
    clusters: None in databases without any.
    """

    msa: Msa
    found: int
    rounds: tuple[RoundReport, ...]
    members: MembersReport | None = None


def built(query: Record, result: SearchResult, members: MemberHits | None = None, *, diverse: bool) -> BuiltMsa:
    """The MSA of a search for this one query; diverse: whether it is filtered.

    members: those of hits' clusters; None in databases without clusters.
    """
    [one] = result.results
    by_subject, report = ({}, None) if members is None else (members.hits, members.report)
    organisms = organisms_of(chain(one.hits, *by_subject.values()))
    whole = stacked(query, rows_of(one.hits, by_subject), organisms, Provenance.of(result, report, diverse=diverse))
    return BuiltMsa(filtered(whole) if diverse else whole, len(whole), one.rounds, report)
