"""A stretch of each genome of a comparison, as the two lists of a job of pairs."""

from pathlib import Path

from app.comparison_schemas import Stretch, StretchAlignment
from app.problems import InvalidParameterError
from app.service import Service
from shardwater.genomes.comparison import ComparisonError
from shardwater.genomes.regions import numbers_of
from shardwater.pairs.lists import PairLists
from shardwater.sequences.alphabets import DNA
from shardwater.sequences.named import COMPLEMENTS, Letters
from shardwater.sequences.stored import DamagedSequences, StoredSequences
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.files import WHAT
from worker.jobs.folders import storing
from worker.jobs.genome_files import QUERY, SUBJECT, kept_sequences
from worker.jobs.pair_requests import PairParameters
from worker.jobs.states import DamagedJob

MOST_LETTERS = 1 << 24
"""Of a stretch: it is copied several times before it is aligned."""


def parameters_of(asked: StretchAlignment, comparison: ComparisonParameters) -> PairParameters:
    """How stretches are aligned; what is not said is as the comparison has it."""
    given = {name: getattr(asked, name) for name in ("match", "mismatch", "gap_open", "gap_extend")}
    scores = {name: getattr(comparison, name) if value is None else value for name, value in given.items()}
    return PairParameters(alphabet="dna", **scores).over(DNA)


def store_stretches(service: Service, comparison: str, asked: StretchAlignment, folder: Path) -> PairLists:
    """Both stretches in a folder; raises InvalidParameterError, LimitExceeded, StorageFull, and DamagedJob."""
    # Before any letter is read: a stretch may be a chromosome.
    for side, stretch in ((QUERY, asked.query), (SUBJECT, asked.subject)):
        if stretch.letters > MOST_LETTERS:
            raise InvalidParameterError(f"/{side}", f"a stretch has {MOST_LETTERS:,} letters at most")
    query = _letters(service, comparison, QUERY, asked.query)
    if asked.strand == "-":
        query = Letters(f"{query.name}(-)", query.letters.translate(COMPLEMENTS)[::-1])
    subject = _letters(service, comparison, SUBJECT, asked.subject)
    with storing(folder, WHAT):
        queries = StoredSequences.write(folder / "queries", [query])
        pairs = PairLists(queries, StoredSequences.write(folder / "subjects", [subject]), "zip")
    pairs.check(service.settings.pair_bounds)
    return pairs


def _letters(service: Service, comparison: str, side: str, stretch: Stretch) -> Letters:
    """A stretch by a name that says where it is."""
    try:
        stored = kept_sequences(service.files.folder(comparison), side)
        names = stored.names(range(len(stored)))
        number = numbers_of(names, [stretch.record])[stretch.record]
        before, end = stored.ends(range(number, number + 1)).tolist()
    except ComparisonError as error:
        raise InvalidParameterError(f"/{side}/record", str(error)) from None
    except (OSError, DamagedSequences):
        raise DamagedJob(f"what {comparison} has kept is not what it was: the genomes") from None
    if not stretch.first <= stretch.last <= end - before:
        known = f"the record has letters 1 to {end - before:,}; a stretch has some of them"
        raise InvalidParameterError(f"/{side}", known)
    name = f"{names[number]}:{stretch.first}-{stretch.last}"
    return Letters(name, stored.letters[before + stretch.first - 1 : before + stretch.last].tobytes())
