"""Pairs as SAM 1.6: the subjects are the reference sequences, letters outside the alignment are soft-clipped.

One line of a read is primary: that of its best alignment, the first of equals. The others are secondary (0x100). A read
of which nothing is aligned has one line, unmapped (4). SAM names all subjects before its first line: lines wait in a
temporary file until the last subject is known.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from tempfile import SpooledTemporaryFile

from shardwater.alignment.alignment import Alignment
from shardwater.errors import AlignError
from shardwater.formats.chunks import CHUNK
from shardwater.formats.pairs.layout import Layout, shown
from shardwater.formats.pairs.paf import score_tag
from shardwater.formats.sam import NO_QUALITY, SECONDARY, query_name, sam_letters, subject_name
from shardwater.formats.titles import one_line
from shardwater.pairs.align import FoundPair
from shardwater.pairs.aligned import AlignedPair
from shardwater.ranges import ranges_of
from shardwater.sequences.named import Letters, reverse_complement
from shardwater.sequences.stored import StoredSequences
from shardwater.software import software

UNMAPPED, REVERSE = 0x4, 0x10
_IN_MEMORY = 1 << 24
"""Bytes of lines that wait without a file."""
_AT_ONCE = 1 << 14


class SubjectNameTaken(AlignError):
    """Two different subjects with one name, by which SAM knows them."""


@dataclass(frozen=True, slots=True)
class _Named:
    """The subject that has a name: its length, and a hash of its letters."""

    length: int
    letters: int


def write_sam(pairs: Iterable[FoundPair], layout: Layout) -> Iterator[str | bytes]:
    """The header names each aligned subject once."""
    named: dict[str, _Named] = {}
    with SpooledTemporaryFile(_IN_MEMORY) as waiting:
        for read in _reads(pairs, layout):
            for line in _lines(read, named):
                waiting.write(line.encode())
            # No line goes out before the last pair is read (chunks.py).
            yield ""
        waiting.seek(0)
        yield "@HD\tVN:1.6\tSO:unsorted\tGO:query\n"
        for name, subject in named.items():
            yield f"@SQ\tSN:{name}\tLN:{subject.length}\n"
        version, described = software().version, f"exact alignment of pairs, {one_line(layout.scores)}"
        yield f"@PG\tID:shardwater\tPN:shardwater\tVN:{version}\tDS:{described}\n"
        yield from iter(lambda: waiting.read(CHUNK), b"")


def _reads(pairs: Iterable[FoundPair], layout: Layout) -> Iterator[Iterable[FoundPair]]:
    """Each read's alignments."""
    if layout.each_with_each:
        return (read for _, read in groupby(pairs, key=lambda pair: pair.query.number))
    return (read for _, read in groupby(pairs, key=_Numbered()))


class _Numbered:
    """Which pair an alignment is of, when all are asked in order."""

    def __init__(self) -> None:
        self._number = 0

    def __call__(self, pair: FoundPair) -> int:
        self._number += pair.rank == 1
        return self._number


def _lines(read: Iterable[FoundPair], named: dict[str, _Named]) -> Iterator[str]:
    # Not the pairs: each would keep all that were found with it in memory.
    aligned = list[tuple[AlignedPair, Alignment]]()
    for pair in read:
        found = shown(pair)
        # Without a letter of the subject there is no place on it.
        if found is not None and found.subject_start < found.subject_end:
            _claim(pair.subject, named)
            aligned.append((pair.told, found))
    if not aligned:
        yield _unmapped(pair.query)
        return
    # The first of the best.
    primary = max(range(len(aligned)), key=lambda place: aligned[place][1].score)
    for place, (told, found) in enumerate(aligned):
        yield _mapped(told, pair.query.letters, found, 0 if place == primary else SECONDARY)


def claim_subjects(subjects: StoredSequences) -> None:
    """Raise SubjectNameTaken where one name has several sequences."""
    firsts = dict[str, int]()
    for some in ranges_of(len(subjects), _AT_ONCE):
        for number, name in zip(some, subjects.names(some), strict=True):
            first = firsts.setdefault(name, number)
            if first != number and subjects[first].letters != subjects[number].letters:
                raise _taken(name)


def _claim(subject: Letters, named: dict[str, _Named]) -> None:
    """Note the subject that has a name."""
    found = _Named(len(subject.letters), hash(subject.letters))
    if named.setdefault(subject_name(subject.name), found) != found:
        raise _taken(subject.name)


def _taken(name: str) -> SubjectNameTaken:
    return SubjectNameTaken(
        f"two different subjects are named {subject_name(name)}, which SAM does not allow: rename one of them"
    )


def _mapped(told: AlignedPair, letters: bytes, found: Alignment, secondary: int) -> str:
    assert told.align_len is not None
    assert told.identity is not None
    before, after = found.query_start, len(letters) - found.query_end
    fields = (
        query_name(told.query),
        secondary | (REVERSE if told.strand == "-" else 0),
        subject_name(told.subject),
        found.subject_start + 1,
        NO_QUALITY,
        f"{before}S" * bool(before) + (told.cigar or "") + f"{after}S" * bool(after),
        *("*", 0, 0),
        _text(reverse_complement(letters) if told.strand == "-" else letters),
        "*",
        score_tag(told.score),
        f"NM:i:{told.align_len - told.identity}",
    )
    return "\t".join(map(str, fields)) + "\n"


def _unmapped(query: Letters) -> str:
    fields = (query_name(query.name), UNMAPPED, *("*", 0, 0, "*", "*", 0, 0), _text(query.letters), "*")
    return "\t".join(map(str, fields)) + "\n"


def _text(letters: bytes) -> str:
    return sam_letters(letters.decode("ascii")) or "*"
