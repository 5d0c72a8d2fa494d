"""PAF, minimap2's table of pairs: twelve columns and tags. A pair without an alignment has no line."""

from collections.abc import Iterable, Iterator

from shardwater.formats.pairs.answer import Answer, Layout
from shardwater.formats.titles import one_line

NO_QUALITY = 255


def write_paf(answers: Iterable[Answer], layout: Layout) -> Iterator[str]:
    """Places count from 0 and along the sequences as they were given; the CIGAR goes along the subject."""
    for answer in answers:
        if answer.found is not None:
            yield "\t".join(map(str, _fields(answer, layout))) + "\n"


def _fields(answer: Answer, layout: Layout) -> Iterator[str | int]:
    pair = layout.pair(answer)
    assert pair.query_from is not None
    assert pair.subject_from is not None
    assert pair.align_len is not None
    assert pair.identity is not None
    yield from (one_line(pair.query), len(answer.query.letters), pair.query_from - 1, pair.query_to or 0, pair.strand)
    yield from (one_line(pair.subject), len(answer.subject.letters), pair.subject_from - 1, pair.subject_to or 0)
    yield from (pair.identity, pair.align_len, NO_QUALITY, f"NM:i:{pair.align_len - pair.identity}")
    yield from (score_tag(pair.score), f"cg:Z:{pair.cigar}")


def score_tag(score: int | float) -> str:
    """The score as PAF and SAM have it."""
    return f"AS:{'i' if isinstance(score, int) else 'f'}:{score}"
