"""Hits by lineage: what is listed, counted, and in which order."""

from dataclasses import replace

from shardwater.database.taxa import Placed
from shardwater.search.lineages import Lineages, Taxon, lineages
from shardwater.search.merge import Hit

ROOT = Placed(None, "no rank", "root")
TREE = {
    1: ROOT,
    2: Placed(1, "superkingdom", "Bacteria"),
    20: Placed(2, "genus", "Escherichia"),
    21: Placed(20, "species", "Escherichia coli"),
    22: Placed(21, "strain", "K-12"),
    3: Placed(1, "superkingdom", "Eukaryota"),
    30: Placed(3, "species", "Homo sapiens"),
    31: Placed(3, "species", "Mus musculus"),
    39: Placed(30, "merged", "Homo sapiens"),
}
BASE = Hit(1, "a", "", 9, 50, 20.0, 1e-3, None, None, ())


def hits(*taxids: int | None) -> list[Hit]:
    return [replace(BASE, rank=rank, taxid=taxid) for rank, taxid in enumerate(taxids, start=1)]


def names(found: Lineages) -> list[tuple[str, int | None, tuple[int, ...]]]:
    return [(taxon.name, taxon.parent, taxon.ranks) for taxon in found.taxa]


def test_a_taxon_follows_its_parent_and_has_what_is_below_it() -> None:
    found = lineages(hits(31, 22, 30, 31, None, 21), TREE)
    assert names(found) == [
        ("root", None, (1, 2, 3, 4, 6)),
        ("Eukaryota", 1, (1, 3, 4)),
        ("Mus musculus", 3, (1, 4)),
        ("Homo sapiens", 3, (3,)),
        ("Escherichia coli", 1, (2, 6)),
        ("K-12", 21, (2,)),
    ]
    assert found.without_taxid == 1


def test_of_a_lineage_that_does_not_branch_the_lowest_is_told() -> None:
    assert names(lineages(hits(22, 22), TREE)) == [("K-12", None, (1, 2))]


def test_siblings_with_as_many_hits_stand_by_their_best() -> None:
    assert [taxon.taxid for taxon in lineages(hits(31, 30), TREE).taxa] == [3, 31, 30]
    assert [taxon.taxid for taxon in lineages(hits(30, 31), TREE).taxa] == [3, 30, 31]


def test_a_merged_taxid_counts_for_what_it_stands_for() -> None:
    assert lineages(hits(39, 30), TREE).taxa == (Taxon(30, "Homo sapiens", "species", None, (1, 2)),)


def test_what_no_tree_has_stands_by_itself_under_the_hits_own_name() -> None:
    other = replace(BASE, rank=2, taxid=77, organism="Nobody knows")
    assert names(lineages([*hits(30), other], TREE)) == [("Homo sapiens", None, (1,)), ("Nobody knows", None, (2,))]
    assert names(lineages([], {})) == []


def test_trees_that_contradict_each_other_lose_no_hit() -> None:
    circle = {5: Placed(6, "genus", "five"), 6: Placed(5, "family", "six")}
    assert names(lineages(hits(5, 6, 5), circle)) == [("six", None, (1, 2, 3)), ("five", 6, (1, 3))]
