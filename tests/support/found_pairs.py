"""Aligned pairs for tests of their formats, and what the alignment that a format shows is worth."""

import re
from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from shardwater.alignment.scheme import Scheme
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.names import PairFormat
from shardwater.formats.pairs.writers import WRITERS
from shardwater.pairs.align import FoundPair, align_named
from shardwater.pairs.coded import Report
from shardwater.pairs.cpu import CpuPairs
from shardwater.pairs.strands import Strands
from shardwater.scoring.table import match_table
from shardwater.sequences.named import Letters

DNA_SCHEME = Scheme(match_table(2, -1), 1, 1)
_ENGINE = CpuPairs(1)

sequences = st.lists(st.tuples(st.text("ACGTN", max_size=25), st.text("ACGTN", max_size=25)), min_size=1, max_size=4)


def found(
    pairs: Iterable[tuple[str, str]],
    scheme: Scheme = DNA_SCHEME,
    report: Report = "alignment",
    strand: Strands = "forward",
) -> list[FoundPair]:
    """The answers of pairs named q1 and s1, q2 and s2, ..."""
    named = (
        (Letters(f"q{number}", query.encode()), Letters(f"s{number}", subject.encode()))
        for number, (query, subject) in enumerate(pairs, start=1)
    )
    return list(align_named(named, scheme, report, strand, _ENGINE))


def text_of(name: PairFormat, pairs: Sequence[FoundPair], columns: tuple[str, ...] = ()) -> str:
    """What a format writes of pairs that have nothing to do with each other."""
    return text_with(Layout("match 2, mismatch -1", columns), name, pairs)


def text_with(layout: Layout, name: PairFormat, pairs: Sequence[FoundPair]) -> str:
    """What a format writes in a layout."""
    pieces = WRITERS[name].write(pairs, layout)
    return "".join(piece if isinstance(piece, str) else piece.decode() for piece in pieces)


def operations(cigar: str) -> list[tuple[int, str]]:
    """A CIGAR's, which has nothing else."""
    assert re.fullmatch(r"(\d+[=XIDS])*", cigar), cigar
    return [(int(length), kind) for length, kind in re.findall(r"(\d+)(.)", cigar)]


def replay(cigar: str, query: bytes, subject: bytes, scheme: Scheme) -> tuple[int | float, int]:
    """The score of an alignment of just these letters, and how many of its columns differ."""
    i = j = score = differing = 0
    codes = scheme.table.alphabet.codes
    for length, kind in operations(cigar):
        if kind in "ID":
            score, differing = score - scheme.gap(length), differing + length
        for k in range(length if kind in "=X" else 0):
            assert (query[i + k] == subject[j + k]) == (kind == "=")
            score += scheme.table.rows[codes[query[i + k]]][codes[subject[j + k]]]
            differing += kind == "X"
        i, j = i + length * (kind != "D"), j + length * (kind != "I")
    assert (i, j) == (len(query), len(subject))
    return scheme.shown(score), differing
