"""The taxa of a query's hits as a tree: which lineages they are of, and how many of them each has."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shardwater.database.taxa import MERGED, Placed
from shardwater.search.merge import Hit

Parents = Mapping[int, int | None]
"""Of each taxid the one above; None at the top."""


@dataclass(frozen=True, slots=True)
class Taxon:
    """A taxon that hits are of, or that these descend from.

    parent: the taxid of the nearest one above that is listed, None at the top; ranks: those of the hits that are of it
    or descend from it, ascending.
    """

    taxid: int
    name: str
    rank: str
    parent: int | None
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Lineages:
    """taxa: each after its parent, those with more hits before their siblings, and with better ones where that is
    equal; without_taxid: hits that nobody has said a taxid of.
    """

    taxa: tuple[Taxon, ...]
    without_taxid: int


def lineages(hits: Sequence[Hit], placed: Mapping[int, Placed]) -> Lineages:
    """The tree of these hits. placed: what is known of their taxids and of all that these descend from.

    A taxon that has just what one below it has is left out: of a lineage that does not branch its lowest is told. A
    taxid that stands for another one now counts for that, and one of which nothing is known stands by itself.
    """
    own, names = dict[int, list[int]](), dict[int, str]()
    for hit in hits:
        if hit.taxid is not None:
            taxid = _current(hit.taxid, placed)
            own.setdefault(taxid, []).append(hit.rank)
            names.setdefault(taxid, hit.organism or "")
    parents = _parents(own, placed)
    below, children = _below(own, parents), dict[int | None, list[int]]()
    for taxid, above in parents.items():
        children.setdefault(above, []).append(taxid)
    listed = list[Taxon]()
    waiting: list[tuple[int, int | None]] = [(taxid, None) for taxid in _worst_first(children.get(None, []), below)]
    while waiting:
        taxid, parent = waiting.pop()
        under = children.get(taxid, [])
        if taxid not in own and len(under) == 1:
            waiting.append((under[0], parent))
            continue
        at = placed.get(taxid)
        name = (at.name if at else "") or names.get(taxid, "")
        listed.append(Taxon(taxid, name, at.rank if at else "", parent, tuple(sorted(below[taxid]))))
        waiting += [(each, taxid) for each in _worst_first(under, below)]
    return Lineages(tuple(listed), sum(hit.taxid is None for hit in hits))


def _current(taxid: int, placed: Mapping[int, Placed]) -> int:
    """What a taxid stands for now."""
    at = placed.get(taxid)
    return at.parent if at is not None and at.rank == MERGED and at.parent is not None else taxid


def _parents(taxids: Iterable[int], placed: Mapping[int, Placed]) -> Parents:
    """Of these taxids and all above them.

    Two databases may have trees of other years, which together go round in a circle: it ends where it began.
    """
    parents = dict[int, int | None]()
    for taxid in taxids:
        on_the_way, at = set[int](), taxid
        while at not in parents:
            on_the_way.add(at)
            above = placed[at].parent if at in placed else None
            parents[at] = None if above in on_the_way else above
            if above is None:
                break
            at = above
    return parents


def _below(own: Mapping[int, Sequence[int]], parents: Parents) -> dict[int, list[int]]:
    """Of each taxon the ranks of its hits and of all that descend from it."""
    below = dict[int, list[int]]()
    for taxid, ranks in own.items():
        at: int | None = taxid
        while at is not None:
            below.setdefault(at, []).extend(ranks)
            at = parents[at]
    return below


def _worst_first(taxids: Sequence[int], below: Mapping[int, Sequence[int]]) -> list[int]:
    return sorted(taxids, key=lambda taxid: (len(below[taxid]), -min(below[taxid])))
