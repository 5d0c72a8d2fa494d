"""NCBI's taxonomy: the part of the tree that is needed, and files that are none."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from shardwater.database.taxonomy_files import MOST_LEVELS, Tree, read_tree
from shardwater.errors import DatabaseError
from tests.support.taxonomies import NODES, dump, write_taxonomy


def read(folder: Path, *wanted: int) -> Tree:
    return read_tree(folder, np.array(sorted(wanted), np.uint32))


def fault(folder: Path, *wanted: int) -> str:
    with pytest.raises(DatabaseError) as caught:
        read(folder, *wanted)
    return str(caught.value).removeprefix(f"{folder}/")


def test_the_tree_has_what_is_wanted_and_all_above_it(tmp_path: Path) -> None:
    tree = read(write_taxonomy(tmp_path), 9606, 562)
    assert tree.taxids.tolist() == [1, 2, 562, 2759, 9604, 9606]
    assert tree.parents.tolist() == [1, 1, 2, 1, 2759, 9604]
    assert tree.ranks == [b"no rank", b"superkingdom", b"species", b"superkingdom", b"family", b"species"]
    assert tree.names == [b"root", b"Bacteria", b"Escherichia coli", b"Eukaryota", b"Hominidae", b"Homo sapiens"]
    assert (tree.merged.tolist(), tree.unplaced.tolist()) == ([], [])


def test_a_merged_taxid_is_below_the_one_that_it_means(tmp_path: Path) -> None:
    tree = read(write_taxonomy(tmp_path), 63221)
    assert dict(zip(tree.taxids.tolist(), tree.parents.tolist(), strict=True)) == {
        1: 1,
        2759: 1,
        9604: 2759,
        9606: 9604,
        63221: 9606,
    }
    assert (tree.names[-1], tree.ranks[-1], tree.merged.tolist()) == (b"Homo sapiens", b"merged", [63221])


def test_a_taxid_that_the_tree_does_not_have_stands_alone(tmp_path: Path) -> None:
    tree = read(write_taxonomy(tmp_path), 5, 2, 4294967295)
    assert tree.taxids.tolist() == [1, 2, 5, 4294967295]
    assert tree.parents.tolist() == [1, 1, 5, 4294967295]
    assert tree.unplaced.tolist() == [5, 4294967295]


def test_the_order_of_lines_their_ends_and_gzip_do_not_matter(tmp_path: Path) -> None:
    expected = read(write_taxonomy(tmp_path), 9606)
    for name in ("nodes.dmp", "names.dmp"):
        lines = (tmp_path / name).read_bytes().splitlines()
        (tmp_path / name).write_bytes(gzip.compress(b"\r\n".join(reversed(lines))))
    found = read(tmp_path, 9606)
    assert (found.taxids.tolist(), found.names, found.ranks) == (
        expected.taxids.tolist(),
        expected.names,
        expected.ranks,
    )


def test_ten_digits_and_names_of_any_bytes(tmp_path: Path) -> None:
    write_taxonomy(tmp_path, [*NODES, (4000000000, 1, "species")])
    with (tmp_path / "names.dmp").open("ab") as file:
        file.write(b"4000000000\t|\tB\xff\tx | y\t|\t\t|\tscientific name\t|\n")
    tree = read(tmp_path, 4000000000)
    assert (tree.taxids.tolist(), tree.names[-1]) == ([1, 4000000000], "B\u00ff x | y".encode())


@pytest.mark.parametrize(
    ("nodes", "detail"),
    [
        ([(1, 1, "a"), (7, 8, "a"), (8, 7, "a")], "nodes.dmp: line 2: taxon 7 is on a way up that never ends: a cycle"),
        ([(1, 1, "a"), (7, 5, "a")], "nodes.dmp: line 2: the parent of taxon 7, 5, is no node"),
        ([(1, 1, "a"), (7, 1, "a"), (7, 1, "a")], "nodes.dmp: line 3: taxon 7 for the second time"),
        ([(1, 1, "a"), (7, "x", "a")], "nodes.dmp: line 2: 'x' is no taxid"),
        ([(0, 1, "a")], "nodes.dmp: line 1: '0' is no taxid"),
        ([(4294967296, 1, "a")], "nodes.dmp: line 1: '4294967296' is no taxid"),
        ([(1, 1, "a" * 65)], f"nodes.dmp: line 1: {'a' * 64!r} is no rank"),
        ([], "nodes.dmp: no node in it"),
    ],
)
def test_what_is_no_tree_is_told_by_file_and_line(tmp_path: Path, nodes: list[tuple[object, ...]], detail: str) -> None:
    write_taxonomy(tmp_path, nodes)
    assert fault(tmp_path, 7) == detail


def test_more_levels_than_any_tree_has_are_refused(tmp_path: Path) -> None:
    write_taxonomy(tmp_path, [(1, 1, "a"), *((taxid, taxid - 1, "a") for taxid in range(2, MOST_LEVELS + 2))])
    assert "never ends" in fault(tmp_path, MOST_LEVELS + 1)
    assert len(read(tmp_path, MOST_LEVELS).taxids) == MOST_LEVELS


def test_lines_that_are_no_rows(tmp_path: Path) -> None:
    write_taxonomy(tmp_path)
    (tmp_path / "names.dmp").write_text("1\tscientific name\n")
    assert fault(tmp_path, 2).startswith("names.dmp: line 1: 4 columns between tabs and bars are needed")
    (tmp_path / "names.dmp").write_text("a\n" + "x" * 70_000)
    assert fault(tmp_path, 2) == "names.dmp: line 2: more than 65,536 bytes"
    (tmp_path / "merged.dmp").write_text(dump([(5, "y")]))
    assert fault(tmp_path, 5) == "merged.dmp: line 1: 'y' is no taxid"
    (tmp_path / "names.dmp").unlink()
    assert fault(tmp_path, 2).startswith("names.dmp: no such file")
