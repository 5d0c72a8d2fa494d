"""Hits of a shard with what its database says of them: names, lengths, organisms."""

from collections.abc import Mapping, Sequence, Set
from typing import Protocol

import numpy as np
import numpy.typing as npt

from shardwater.database.taxa import Organism
from shardwater.search.aligning import Aligned
from shardwater.search.hits import Score, SubjectHit
from shardwater.statistics.shuffles import Shuffled


class Named(Protocol):
    """Sequences by number, with what is known of them: a database's subjects, or members of its clusters."""

    @property
    def lengths(self) -> npt.NDArray[np.uint32]:
        """The residues of each."""
        ...

    def sequences(self, subjects: Sequence[int], /) -> list[bytes]:
        """The letters of some."""
        ...

    def names_of_all(self, subjects: Sequence[int], /) -> list[tuple[str, str]]:
        """The accessions and titles of some."""
        ...

    def organisms(self, subjects: Sequence[int], titles: Sequence[str], /) -> list[Organism | None]:
        """Where those of these titles come from, as far as that is known."""
        ...


def named_hits(
    named: Named,
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
    told = [subject for subject in subjects if subject in shown]
    names = dict(zip(told, named.names_of_all(told), strict=True))
    organisms = dict(zip(told, named.organisms(told, [title for _, title in names.values()]), strict=True))
    hits = []
    for score, length in zip(scores, named.lengths[subjects].tolist(), strict=True):
        subject = score.subject
        accession, title = names.get(subject, ("", ""))
        about, organism = (subject, accession, title, length, score.score), organisms.get(subject)
        if found := aligned.get(subject):
            best, *further = found.remains
            hits.append(
                SubjectHit(
                    *about,
                    tuple(found.hsps),
                    remains=best,
                    shuffled=shuffled.get(subject),
                    further_remains=tuple(further),
                    unseen=found.unseen,
                    organism=organism,
                )
            )
        else:
            hits.append(SubjectHit(*about, (), organism=organism))
    return tuple(hits)
