"""Pairs as SAM 1.6: the subjects are the reference sequences, letters outside the alignment are soft-clipped.

A query's pairs follow each other and have the same object: the first that is aligned is its primary line, the others
are secondary (0x100). Where nothing is aligned the line is unmapped (4). SAM names all subjects before its first line:
lines wait in a temporary file until the last subject is known.
"""

from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile

from shardwater.alignment.alignment import Alignment
from shardwater.errors import AlignError
from shardwater.formats.chunks import CHUNK
from shardwater.formats.pairs.layout import Layout
from shardwater.formats.pairs.paf import score_tag
from shardwater.formats.sam import NO_QUALITY, SECONDARY, query_name, sam_letters, subject_name
from shardwater.pairs.align import FoundPair
from shardwater.pairs.aligned import Letters, reverse_complement
from shardwater.software import software

UNMAPPED, REVERSE = 0x4, 0x10
_IN_MEMORY = 1 << 24
"""Bytes of lines that wait without a file."""


class SubjectNameTaken(AlignError):
    """Two subjects of different lengths with one name, by which SAM knows them."""


def write_sam(pairs: Iterable[FoundPair], layout: Layout) -> Iterator[str | bytes]:
    """The header names each aligned subject once."""
    lengths: dict[str, int] = {}
    with SpooledTemporaryFile(_IN_MEMORY) as waiting:
        for line in _lines(pairs, lengths):
            waiting.write(line.encode())
        waiting.seek(0)
        yield "@HD\tVN:1.6\tSO:unsorted\tGO:query\n"
        for name, length in lengths.items():
            yield f"@SQ\tSN:{name}\tLN:{length}\n"
        version, described = software().version, f"exact alignment of pairs, {layout.scores}"
        yield f"@PG\tID:shardwater\tPN:shardwater\tVN:{version}\tDS:{described}\n"
        yield from iter(lambda: waiting.read(CHUNK), b"")


def _lines(pairs: Iterable[FoundPair], lengths: dict[str, int]) -> Iterator[str]:
    last_mapped: Letters | None = None
    for pair in pairs:
        found = pair.found
        # Without a letter of the subject there is no place on it.
        if found is None or found.subject_start == found.subject_end:
            yield _unmapped(pair.query)
            continue
        name, length = subject_name(pair.subject.name), len(pair.subject.letters)
        if lengths.setdefault(name, length) != length:
            raise SubjectNameTaken(f"two subjects of different lengths are named {name}, which SAM does not allow")
        yield _mapped(pair, found, SECONDARY if pair.query is last_mapped else 0)
        last_mapped = pair.query


def _mapped(pair: FoundPair, found: Alignment, secondary: int) -> str:
    told, letters = pair.told, pair.query.letters
    assert told.align_len is not None
    assert told.identity is not None
    before, after = found.query_start, len(letters) - found.query_end
    fields = (
        query_name(told.query),
        secondary | (REVERSE if pair.strand == "-" else 0),
        subject_name(told.subject),
        found.subject_start + 1,
        NO_QUALITY,
        f"{before}S" * bool(before) + (told.cigar or "") + f"{after}S" * bool(after),
        *("*", 0, 0),
        _text(reverse_complement(letters) if pair.strand == "-" else letters),
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
