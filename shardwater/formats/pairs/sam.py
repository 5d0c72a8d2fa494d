"""Pairs as SAM 1.6: the subjects are the reference sequences, letters outside the alignment are soft-clipped.

A query's first aligned pair is its primary line, its others are secondary (0x100). Where nothing is aligned the line is
unmapped (4). A table of names comes first in SAM: lines wait in a temporary file until the last subject is known.
"""

from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile

from shardwater.alignment.alignment import Alignment
from shardwater.errors import AlignError
from shardwater.formats.chunks import CHUNK
from shardwater.formats.pairs.answer import Answer, Layout
from shardwater.formats.pairs.paf import score_tag
from shardwater.formats.sam import NO_QUALITY, SECONDARY, query_name, sam_letters, subject_name
from shardwater.software import software

UNMAPPED, REVERSE = 0x4, 0x10
_IN_MEMORY = 1 << 24
"""Bytes of lines that wait without a file."""


class SubjectNameTaken(AlignError):
    """Two subjects of different lengths with one name, by which SAM knows them."""


def write_sam(answers: Iterable[Answer], layout: Layout) -> Iterator[str | bytes]:
    """The header names each aligned subject once."""
    lengths: dict[str, int] = {}
    with SpooledTemporaryFile(_IN_MEMORY) as waiting:
        for line in _lines(answers, layout, lengths):
            waiting.write(line.encode())
        waiting.seek(0)
        yield "@HD\tVN:1.6\tSO:unsorted\tGO:query\n"
        for name, length in lengths.items():
            yield f"@SQ\tSN:{name}\tLN:{length}\n"
        version, described = software().version, f"exact alignment of pairs, {layout.scores}"
        yield f"@PG\tID:shardwater\tPN:shardwater\tVN:{version}\tDS:{described}\n"
        yield from iter(lambda: waiting.read(CHUNK), b"")


def _lines(answers: Iterable[Answer], layout: Layout, lengths: dict[str, int]) -> Iterator[str]:
    last_mapped = None
    for answer in answers:
        found = answer.found
        # Without a letter of the subject there is no place on it.
        if found is None or found.subject_start == found.subject_end:
            yield _unmapped(answer)
            continue
        name, length = subject_name(answer.subject.name), len(answer.subject.letters)
        if lengths.setdefault(name, length) != length:
            raise SubjectNameTaken(f"two subjects of different lengths are named {name}, which SAM does not allow")
        secondary = SECONDARY if answer.query_number == last_mapped else 0
        last_mapped = answer.query_number
        yield _mapped(answer, found, layout, secondary)


def _mapped(answer: Answer, found: Alignment, layout: Layout, secondary: int) -> str:
    pair, letters = layout.pair(answer), answer.aligned_query
    assert pair.align_len is not None
    assert pair.identity is not None
    before, after = found.query_start, len(letters) - found.query_end
    fields = (
        query_name(pair.query),
        secondary | (REVERSE if answer.strand == "-" else 0),
        subject_name(pair.subject),
        found.subject_start + 1,
        NO_QUALITY,
        f"{before}S" * bool(before) + (pair.cigar or "") + f"{after}S" * bool(after),
        *("*", 0, 0),
        _text(letters),
        "*",
        score_tag(pair.score),
        f"NM:i:{pair.align_len - pair.identity}",
    )
    return "\t".join(map(str, fields)) + "\n"


def _unmapped(answer: Answer) -> str:
    fields = (query_name(answer.query.name), UNMAPPED, *("*", 0, 0, "*", "*", 0, 0), _text(answer.query.letters), "*")
    return "\t".join(map(str, fields)) + "\n"


def _text(letters: bytes) -> str:
    return sam_letters(letters.decode("ascii")) or "*"
