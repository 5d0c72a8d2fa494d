"""From the hits of one search to the profile that the next one searches with: PSI-BLAST's iteration.

Altschul et al. (1997), Nucleic Acids Research 25:3389. The first round searches with the query. Hits whose E-values
are small enough are stacked on the query, the best first, and make a profile; the next round searches with it, and so
on until a round includes no subject that the round before had not. A profile that takes in a stranger finds the
stranger's family from then on: who is included is judged by the larger of two E-values where there are two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from shardwater.errors import AlignError, ScoringError
from shardwater.profiles.building import Profile
from shardwater.profiles.stack import Aligned, Stack
from shardwater.profiles.weights import observe
from shardwater.scoring.scoring import Scoring
from shardwater.search.merge import Hit
from shardwater.sequences.alphabet import encode
from shardwater.sequences.fasta import Record

INCLUSION_EVALUE = 0.002
"""What PSI-BLAST includes by default."""


@dataclass(frozen=True, slots=True)
class Round:
    """What a round included, as accessions in the order of its hits.

    new: those of them that the round before had not included; lost: those that it had and this one has not, in its
    order. Rounds count from 1.
    """

    number: int
    included: tuple[str, ...]
    new: tuple[str, ...]
    lost: tuple[str, ...]

    @classmethod
    def of(cls, hits: Sequence[Hit], before: Self | None = None) -> Self:
        """A round that includes these hits, after this one or as the first."""
        now, then = [hit.accession for hit in hits], before.included if before else ()
        known, still = set(then), set(now)
        return cls(
            before.number + 1 if before else 1,
            tuple(now),
            tuple(each for each in now if each not in known),
            tuple(each for each in then if each not in still),
        )

    @property
    def kept(self) -> tuple[str, ...]:
        """Those that the round before had included, too."""
        new = set(self.new)
        return tuple(each for each in self.included if each not in new)

    @property
    def converged(self) -> bool:
        """Whether it found nothing new: neither would another one."""
        return not self.new


def inclusion_evalue(hit: Hit) -> float:
    """What decides whether a hit is included: its E-value, or that by published parameters if it is larger.

    Raises ScoringError where it has none.
    """
    if hit.evalue is None:
        raise ScoringError("hits have no E-values to include them by: iterations need other statistics than `none`")
    table = hit.evalues.table if hit.evalues else None
    return hit.evalue if table is None else max(hit.evalue, table)


def included(hits: Sequence[Hit], most: float = INCLUSION_EVALUE) -> list[Hit]:
    """The hits that enter the next profile, in their order, and of each the alignments that do."""
    return [_entering(hit, most) for hit in hits if inclusion_evalue(hit) <= most]


def _entering(hit: Hit, most: float) -> Hit:
    """A hit with its best alignment, and the others that are good enough by themselves."""
    if len(hit.hsps) < 2:
        return hit
    others = (hsp for hsp in hit.hsps[1:] if hsp.evalue is not None and hsp.evalue <= most)
    return replace(hit, hsps=(*hit.hsps[:1], *others))


def next_profile(query: Record, hits: Sequence[Hit], scoring: Scoring) -> Profile:
    """The profile of a query and the hits that are included, the best first, with all alignments that they have.

    query: the part that was searched. Raises ScoringError where the matrix has no statistics, AlignError where a hit
    has no alignment.
    """
    for hit in hits:
        if not hit.hsps:
            raise AlignError(f"hit {hit.rank} is to make a profile and is not aligned: ask for more alignments")
    codes = encode(query.residues)
    rows = (
        Aligned(hsp.query_from - 1 - query.offset, hsp.qseq.encode(), hsp.hseq.encode())
        for hit in hits
        for hsp in hit.hsps
    )
    return Profile.of(codes, observe(Stack.of(codes, rows).purged()), scoring.loaded)
