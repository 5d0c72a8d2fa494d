"""A sample of subjects, and their scores by numpy alone (gotoh.py).

No line of code is shared with the engines that search: neither pyopal nor a kernel has a part in it.
"""

import hashlib
from collections.abc import Iterator, Sequence, Set

from shardwater.alignment.gotoh import score_batch
from shardwater.alignment.scheme import Scheme
from shardwater.database.database import Database
from shardwater.database.joined import Joined
from shardwater.ranges import ranges_of
from shardwater.scoring.scoring import Scoring
from shardwater.search.merge import Hit
from shardwater.search.step import Step, Steps
from shardwater.search.warnings import LOST
from shardwater.sequences.alphabet import Codes, encode
from shardwater.sequences.fasta import Record, first_word

BATCH_COLUMNS = 1 << 16
"""Residues of subjects that are scored at a time: what a row of them takes stays in a cache."""
HEADERS = 10_000
"""Read at a time."""


def choose(subjects: int, sample: int, seed: str) -> list[int]:
    """So many different subjects of a database, ascending: the same for the same seed, in any program (Floyd 1987)."""
    chosen: set[int] = set()
    for last in range(max(0, subjects - sample), subjects):
        drawn = int.from_bytes(hashlib.sha256(f"{seed} {last}".encode()).digest()) % (last + 1)
        chosen.add(last if drawn in chosen else drawn)
    return sorted(chosen)


def find_listed(databases: Joined, hits: Sequence[Hit]) -> list[int | None]:
    """The subjects that a result lists, by what it calls their databases; None where there is none.

    Results of earlier versions are of one database, the first one here, and do not say it.
    """
    found: list[int | None] = [None] * len(hits)
    for part in databases.parts:
        called = (part.name, None) if part.first == 0 else (part.name,)
        places = [place for place, hit in enumerate(hits) if hit.database in called]
        subjects = find_all(part.database, [hits[place].accession for place in places])
        for place, subject in zip(places, subjects, strict=True):
            found[place] = None if subject is None else part.first + subject
    return found


def find_all(database: Database, accessions: Sequence[str]) -> list[int | None]:
    """The subjects with just these accessions, as a result has them; None where there is none."""
    subjects = []
    for accession in accessions:
        found = database.find(accession)
        subjects.append(found if found is not None and database.accession(found) == accession else None)
    lost = {name for name, one in zip(accessions, subjects, strict=True) if one is None and LOST in name}
    by_name = dict(_named(database, lost)) if lost else {}
    return [by_name.get(name) if one is None else one for name, one in zip(accessions, subjects, strict=True)]


def _named(database: Database, wanted: Set[str]) -> Iterator[tuple[str, int]]:
    """The subjects of accessions that are not UTF-8, as results of earlier versions have them: with U+FFFD."""
    for some in ranges_of(len(database), HEADERS):
        for subject, header in zip(some, database.headers(some), strict=True):
            accession = first_word(header).decode("utf-8", "replace")
            if accession in wanted:
                yield accession, subject


def score_subjects(
    query: Record, database: Database, subjects: Sequence[int], scoring: Scoring
) -> Steps[dict[int, int]]:
    """The best local score of a query with each of these subjects, which come by ascending number, as lengths do.

    A step takes some milliseconds at most.
    """
    scores: dict[int, int] = {}
    scheme = Scheme.local(scoring, query.pssm)
    places = scheme.places(query.residues)
    for batch in _batches(database, subjects):
        rows = score_batch(places, list(batch.values()), scheme)
        found, cells = next(rows), sum(map(len, batch.values()))
        for _ in rows:
            yield Step(cells)
        scores.update(zip(batch, found.tolist(), strict=True))
    return scores


def _batches(database: Database, subjects: Sequence[int]) -> Iterator[dict[int, Codes]]:
    batch: dict[int, Codes] = {}
    for subject in subjects:
        residues = encode(database.sequence(subject))
        if batch and (len(batch) + 1) * (len(residues) + 1) > BATCH_COLUMNS:
            yield batch
            batch = {}
        batch[subject] = residues
    if batch:
        yield batch
