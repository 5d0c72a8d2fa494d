"""Hits of a shard with what its database says of them: names, lengths, organisms."""

from collections.abc import Mapping, Sequence, Set

from shardwater.database.database import Database
from shardwater.search.aligning import Aligned
from shardwater.search.hits import Score, SubjectHit
from shardwater.statistics.shuffles import Shuffled


def named_hits(
    database: Database,
    scores: Sequence[Score],
    shown: Set[int],
    aligned: Mapping[int, Aligned],
    shuffled: Mapping[int, Shuffled] | None = None,
) -> tuple[SubjectHit, ...]:
    """These subjects as hits; those that are shown have names.

    aligned, shuffled: by subject, where there is something.
    """
    shuffled = shuffled or {}
    subjects = [score.subject for score in scores]
    named = [subject for subject in subjects if subject in shown]
    names = dict(zip(named, database.names_of_all(named), strict=True))
    organisms = dict(zip(named, database.organisms(named, [title for _, title in names.values()]), strict=True))
    hits = []
    for score, length in zip(scores, database.lengths[subjects].tolist(), strict=True):
        subject = score.subject
        accession, title = names.get(subject, ("", ""))
        hit = SubjectHit(subject, accession, title, length, score.score, (), organism=organisms.get(subject))
        if found := aligned.get(subject):
            best, *further = found.remains
            hit = SubjectHit(
                *(subject, accession, title, length, score.score, tuple(found.hsps), best),
                *(shuffled.get(subject), tuple(further), found.unseen, hit.organism),
            )
        hits.append(hit)
    return tuple(hits)
