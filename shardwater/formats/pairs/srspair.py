"""The pairwise text of EMBOSS's needle and water, `srspair`: people read it, and parsers of EMBOSS's reports."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from shardwater.alignment.scheme import Scheme
from shardwater.formats.pairs.layout import Layout, shown
from shardwater.formats.titles import one_line
from shardwater.pairs.align import FoundPair
from shardwater.pairs.aligned import AlignedPair, Rows

COLUMNS = 50
"""Of an alignment, on a line."""
NAME = 13
_RULE = "#" * 40 + "\n"
_HEAD_RULE = f"#{'=' * 39}\n"
_FOOT_RULE = f"#{'-' * 39}\n"


def write_srspair(pairs: Iterable[FoundPair], layout: Layout) -> Iterator[str]:
    """A header a pair, then its alignment: | same letters, : others that score above 0, . others that do not.

    As EMBOSS has it, the same letters that do not score above 0, as N and N, have no mark, and are not similar.
    """
    yield f"{_RULE}# Program: shardwater\n# Align_format: srspair\n{_RULE}\n"
    for pair in pairs:
        told, rows = pair.told, pair.rows
        marks = "" if rows is None else _marks(rows, pair.scheme)
        yield from _header(told, marks, pair.scheme, layout)
        if rows is not None and shown(pair) is not None:
            yield from _blocks(told, rows, marks)
    yield _FOOT_RULE + _FOOT_RULE


def _header(pair: AlignedPair, marks: str, scheme: Scheme, layout: Layout) -> Iterator[str]:
    length, similar = pair.align_len or 0, marks.count("|") + marks.count(":")
    yield f"{_HEAD_RULE}#\n# Aligned_sequences: 2\n# 1: {one_line(pair.query)}\n# 2: {one_line(pair.subject)}\n"
    # EMBOSS's penalty for a gap is that of its first letter.
    yield f"# Matrix: {one_line(layout.scores)}\n# Gap_penalty: {scheme.shown(scheme.gap_first):.1f}\n"
    yield f"# Extend_penalty: {scheme.shown(scheme.gap_extend):.1f}\n#\n# Length: {length}\n"
    for name, count in (("Identity:  ", pair.identity), ("Similarity:", similar), ("Gaps:      ", pair.gaps)):
        share = 100 * (count or 0) / max(length, 1)
        yield f"# {name} {count or 0:5}/{length} ({share:4.1f}%)\n"
    yield f"# Score: {pair.score:.1f}\n# \n#\n{_HEAD_RULE}\n"


def _blocks(pair: AlignedPair, rows: Rows, marks: str) -> Iterator[str]:
    assert pair.query_from is not None
    assert pair.query_to is not None
    assert pair.subject_from is not None
    backwards = pair.strand == "-"
    query = _Place(pair.query, pair.query_to + 1 if backwards else pair.query_from - 1, -1 if backwards else 1)
    subject = _Place(pair.subject, pair.subject_from - 1, 1)
    for start, end in pairwise([*range(0, len(marks), COLUMNS), len(marks)]):
        yield query.line(rows.query[start:end])
        yield f"{'':{NAME + 8}}{marks[start:end]}\n"
        yield subject.line(rows.subject[start:end]) + "\n"
    yield "\n"


def _marks(rows: Rows, scheme: Scheme) -> str:
    """EMBOSS's marks: a gap has none."""
    columns = zip(rows.query, rows.midline.replace("+", ":"), rows.subject, strict=True)
    return "".join(
        " " if "-" in (one, other) or (mark == "|" and not _scores(one, other, scheme)) else mark.replace(" ", ".")
        for one, mark, other in columns
    )


def _scores(one: str, other: str, scheme: Scheme) -> bool:
    codes = scheme.table.alphabet.codes
    return scheme.table.rows[codes[ord(one)]][codes[ord(other)]] > 0


class _Place:
    """How far a row has come along its sequence: the place of the letter before the next one."""

    def __init__(self, name: str, before: int, step: int) -> None:
        self._name, self._before, self._step = one_line(name)[:NAME], before, step

    def line(self, row: str) -> str:
        """The next part of the row between the places of its first and last letter; of none, that of the one before."""
        letters = len(row) - row.count("-")
        first = self._before + (self._step if letters else 0)
        self._before += self._step * letters
        return f"{self._name:<{NAME}} {first:>6} {row} {self._before:>6}\n"
