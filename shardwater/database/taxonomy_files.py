"""NCBI's taxonomy as it is downloaded (nodes.dmp, names.dmp, merged.dmp): the part of the tree that some taxids need.

Columns stand between `\\t|\\t`, and a line ends with `\\t|`. The files are read line by line; numbers of all nodes are
held, names only of those that are needed.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from shardwater.database.header_taxids import LARGEST, Taxids
from shardwater.database.line_files import fault, number_of, read_lines
from shardwater.database.taxa import MERGED
from shardwater.errors import DatabaseError

NODES, NAMES, MERGED_NODES = "nodes.dmp", "names.dmp", "merged.dmp"
SCIENTIFIC = b"scientific name"
MOST_LEVELS = 1000
"""NCBI's tree has some 40."""
MOST_RANKS, LONGEST_RANK = 200, 64
_SEPARATOR = b"\t|\t"

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tree:
    """Taxa by ascending taxid: for each that of its parent, its own where it has none, its rank, and its name.

    merged: which of the wanted ones stand for their parent. unplaced: which of them the tree does not have.
    """

    taxids: Taxids
    parents: Taxids
    ranks: Sequence[bytes]
    names: Sequence[bytes]
    merged: Taxids
    unplaced: Taxids


@dataclass(frozen=True, slots=True)
class _Nodes:
    """All nodes of a tree, by ascending taxid; ranks are numbers of rank_names."""

    path: Path
    taxids: Taxids
    parents: Taxids
    ranks: npt.NDArray[np.uint8]
    rank_names: Sequence[bytes]

    def rows(self, taxids: Taxids) -> Rows:
        """The place of each taxid, -1 where it is no node."""
        places = np.minimum(np.searchsorted(self.taxids, taxids), len(self.taxids) - 1)
        return np.where(self.taxids[places] == taxids, places, -1)


def read_tree(folder: Path, wanted: Taxids) -> Tree:
    """The wanted taxids, ascending, and all that they descend from.

    Raises DatabaseError, with file and line, for text that is no taxonomy: a node without its parent, twice, or in a
    cycle.
    """
    for name in (NODES, NAMES):
        if not (folder / name).is_file():
            raise DatabaseError(f"{folder / name}: no such file; {NODES} and {NAMES} of NCBI's taxonomy are needed")
    nodes = _read_nodes(folder / NODES)
    missing = wanted[nodes.rows(wanted) < 0]
    old, new = _read_merged(folder / MERGED_NODES, missing)
    is_node = nodes.rows(new) >= 0
    old, new = old[is_node], new[is_node]
    unplaced = np.setdiff1d(missing, old)
    rows = _ancestry(nodes, np.union1d(np.setdiff1d(wanted, missing), new))
    placed = nodes.taxids[rows]
    taxids = np.concatenate([placed, old, unplaced])
    parents = np.concatenate([nodes.parents[rows], new, unplaced])
    ranks = [nodes.rank_names[rank] for rank in nodes.ranks[rows].tolist()]
    ranks += [MERGED.encode()] * len(old) + [b""] * len(unplaced)
    # A taxid that stands for another one has its name.
    names = _read_names(folder / NAMES, placed)
    names += [names[place] for place in np.searchsorted(placed, new).tolist()] + [b""] * len(unplaced)
    order = np.argsort(taxids, kind="stable")
    return Tree(
        taxids[order],
        parents[order],
        [ranks[place] for place in order.tolist()],
        [names[place] for place in order.tolist()],
        old,
        unplaced,
    )


def _ancestry(nodes: _Nodes, taxids: Taxids) -> Rows:
    """The places of these nodes and of all above them, ascending."""
    at, kept = nodes.rows(taxids), []
    for _ in range(MOST_LEVELS):
        kept.append(at)
        own, parents = nodes.taxids[at], nodes.parents[at]
        at = at[own != parents]
        if len(at) == 0:
            return np.unique(np.concatenate(kept))
        up = nodes.rows(nodes.parents[at])
        if (up < 0).any():
            child = int(at[np.flatnonzero(up < 0)[0]])
            detail = f"the parent of taxon {nodes.taxids[child]}, {nodes.parents[child]}, is no node"
            raise fault(nodes.path, _line_of(nodes.path, int(nodes.taxids[child])), detail)
        at = np.unique(up)
    taxid = int(nodes.taxids[at[0]])
    raise fault(nodes.path, _line_of(nodes.path, taxid), f"taxon {taxid} is on a way up that never ends: a cycle")


def _read_nodes(path: Path) -> _Nodes:
    taxids, parents, ranks, numbers = array("I"), array("I"), bytearray(), dict[bytes, int]()
    for line, columns in _rows(path, 3):
        taxids.append(_taxid(path, line, columns[0]))
        parents.append(_taxid(path, line, columns[1]))
        rank = numbers.setdefault(columns[2], len(numbers))
        if rank == MOST_RANKS or len(columns[2]) > LONGEST_RANK:
            raise fault(path, line, f"{columns[2][:LONGEST_RANK].decode('utf-8', 'replace')!r} is no rank")
        ranks.append(rank)
    found = np.array(taxids, np.uint32)
    if len(found) == 0:
        raise DatabaseError(f"{path}: no node in it")
    order = np.argsort(found, kind="stable")
    found = found[order]
    twice = found[1:][found[1:] == found[:-1]]
    if len(twice):
        raise fault(path, _line_of(path, int(twice[0]), 2), f"taxon {twice[0]} for the second time")
    return _Nodes(path, found, np.array(parents, np.uint32)[order], np.frombuffer(ranks, np.uint8)[order], [*numbers])


def _read_merged(path: Path, missing: Taxids) -> tuple[Taxids, Taxids]:
    """Which of the missing taxids, ascending, stand for other ones, and for which; none without the file."""
    if not path.is_file() or len(missing) == 0:
        return missing[:0], missing[:0]
    wanted, found = set(missing.tolist()), dict[int, int]()
    for line, columns in _rows(path, 2):
        old, new = (_taxid(path, line, column) for column in columns[:2])
        if old in wanted:
            found[old] = new
    pairs = np.array(sorted(found.items()), np.uint32).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _read_names(path: Path, taxids: Taxids) -> list[bytes]:
    """The scientific names of these taxids, which ascend; empty where the file has none."""
    names = [b""] * len(taxids)
    for some in _some_rows(path, 4, lambda line: SCIENTIFIC in line):
        own = np.array([_taxid(path, line, columns[0]) for line, columns in some], np.uint32)
        places = np.minimum(np.searchsorted(taxids, own), max(0, len(taxids) - 1))
        known = taxids[places] == own if len(taxids) else np.zeros(len(own), np.bool_)
        for number in np.flatnonzero(known).tolist():
            _, columns = some[number]
            if columns[3] == SCIENTIFIC:
                names[int(places[number])] = columns[1].replace(b"\t", b" ")
    return names


def _rows(path: Path, least: int) -> Iterator[tuple[int, list[bytes]]]:
    """The columns of each line, with its number; empty lines are left out."""
    return chain.from_iterable(_some_rows(path, least, bool))


def _some_rows(path: Path, least: int, is_wanted: Callable[[bytes], object]) -> Iterator[list[tuple[int, list[bytes]]]]:
    for some in read_lines(path):
        rows = [
            (number, line.removesuffix(b"\t|").split(_SEPARATOR))
            for number, line in enumerate(some.lines, start=some.first)
            if line and is_wanted(line)
        ]
        for number, columns in rows:
            if len(columns) < least:
                raise fault(path, number, f"{least} columns between tabs and bars are needed, as in NCBI's {path.name}")
        yield rows


def _taxid(path: Path, line: int, text: bytes) -> int:
    taxid = number_of(text, LARGEST)
    if not taxid:
        raise fault(path, line, f"{text[:20].decode('utf-8', 'replace')!r} is no taxid")
    return taxid


def _line_of(path: Path, taxid: int, nth: int = 1) -> int:
    """The number of the line where a node stands, for the nth time."""
    lines = (line for line, columns in _rows(path, 1) if columns[0] == str(taxid).encode())
    for _ in range(nth - 1):
        next(lines)
    return next(lines)
