"""The two lists of a job of pairs: read from the body, an upload or a database, and kept in the job's folder."""

from itertools import islice
from pathlib import Path

from app.problems import InvalidParameterError
from app.requests.sources import named, opened, store_source
from app.service import Service
from shardwater.errors import LimitExceeded
from shardwater.pairs.lists import PairLists, TooManyAlignments, TooManyLetters, UnequalLists
from shardwater.sequences.alphabets import Alphabet
from shardwater.sequences.reads import TELLING, MixedLetters, TextRecord, guess_shared_alphabet, read_records
from worker.jobs.pair_requests import AlignmentRequest, DatabaseSequences, PairParameters, Source, UploadedSequences


def store_lists(service: Service, asked: AlignmentRequest, folder: Path) -> tuple[PairParameters, PairLists]:
    """Both lists in a folder, and the parameters with nothing left to default.

    Raises FastaFormatError, InvalidParameterError, LimitExceeded, and StorageFull.
    """
    sources = {"queries": asked.queries, "subjects": asked.subjects}
    _check_uploads(service, sources)
    alphabet = asked.known_alphabet() or _guessed(service, sources)
    unnamed = {"queries": "query", "subjects": "subject"}
    queries, subjects = (
        store_source(service, name, sources[name], folder, alphabet, unnamed[name]) for name in sources
    )
    found = PairLists(queries, subjects, asked.pairing)
    try:
        found.check(service.settings.pair_bounds, asked.best)
    except (UnequalLists, TooManyLetters) as error:
        raise InvalidParameterError("/pairing", str(error)) from None
    except TooManyAlignments as error:
        raise InvalidParameterError("/best", str(error)) from None
    return asked.over(alphabet), found


def _check_uploads(service: Service, sources: dict[str, Source]) -> None:
    """Raise LimitExceeded for uploads with too many records, before any is read."""
    most = service.settings.pair_bounds.max_pairs
    for name, source in sources.items():
        if isinstance(source, UploadedSequences):
            with named(name):
                records = service.uploads.get(source.upload).records
            if records > most:
                raise LimitExceeded("max_pairs", most, records)


def _guessed(service: Service, sources: dict[str, Source]) -> Alphabet:
    told = _told(service, sources)
    if told is not None:
        return told
    first = list[list[TextRecord]]()
    for name, source in sources.items():
        with named(name), opened(service, source) as file:
            first.append(list(islice(read_records(file, name), TELLING)))
    try:
        return guess_shared_alphabet(*first)
    except MixedLetters as error:
        raise InvalidParameterError("/alphabet", str(error)) from None


def _told(service: Service, sources: dict[str, Source]) -> Alphabet | None:
    """The alphabet of databases, where one is named; raises InvalidParameterError where there are two."""
    found = dict[str, Alphabet]()
    for name, source in sources.items():
        if isinstance(source, DatabaseSequences):
            with named(name):
                found[name] = service.database(source.database).alphabet
    if len(set(found.values())) > 1:
        raise InvalidParameterError("/subjects", "one database is of proteins, the other one of nucleotides")
    return next(iter(found.values()), None)
