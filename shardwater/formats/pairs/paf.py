"""PAF, minimap2's table of pairs: twelve columns and tags. A pair without a column has no line."""

from collections.abc import Iterable, Iterator

from shardwater.formats.pairs.layout import Layout, shown
from shardwater.formats.titles import one_line
from shardwater.pairs.align import FoundPair

NO_QUALITY = 255


def write_paf(pairs: Iterable[FoundPair], _: Layout) -> Iterator[str]:
    """Places count from 0 and along the sequences as they were given; the CIGAR goes along the subject."""
    for pair in pairs:
        yield "" if shown(pair) is None else "\t".join(map(str, _fields(pair))) + "\n"


def _fields(pair: FoundPair) -> Iterator[str | int | None]:
    told = pair.told
    assert told.query_from is not None
    assert told.subject_from is not None
    assert told.align_len is not None
    assert told.identity is not None
    yield from (one_line(told.query), len(pair.query.letters), told.query_from - 1, told.query_to, told.strand)
    yield from (one_line(told.subject), len(pair.subject.letters), told.subject_from - 1, told.subject_to)
    yield from (told.identity, told.align_len, NO_QUALITY, f"NM:i:{told.align_len - told.identity}")
    yield from (score_tag(told.score), f"cg:Z:{told.cigar}")


def score_tag(score: int | float) -> str:
    """The score as PAF and SAM have it."""
    return f"AS:{'i' if isinstance(score, int) else 'f'}:{score}"
