"""The two lists of a job of pairs: read from the body, an upload or a database, and kept in the job's folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from itertools import islice
from pathlib import Path

from app.problems import InvalidListError, InvalidParameterError, NotHereError
from app.service import Service
from shardwater.errors import FastaFormatError, LimitExceeded
from shardwater.pairs.lists import PairLists, TooManyAlignments, UnequalLists
from shardwater.sequences.alphabets import DNA, Alphabet
from shardwater.sequences.named import Letters
from shardwater.sequences.reads import TELLING, MixedLetters, TextRecord, guess_shared_alphabet, read_records
from shardwater.sequences.stored import StoredSequences, TooManySequences
from worker.jobs.files import WHAT
from worker.jobs.folders import storing
from worker.jobs.pair_requests import AlignmentRequest, DatabaseSequences, PairParameters, Source, UploadedSequences
from worker.uploads.limits import UploadNotFound

MOST_RECORDS = 100_000
"""Sequences of a list in a body."""


def store_lists(service: Service, asked: AlignmentRequest, folder: Path) -> tuple[PairParameters, PairLists]:
    """Both lists in a folder, and the parameters with nothing left to default.

    Raises FastaFormatError, InvalidParameterError, LimitExceeded, and StorageFull.
    """
    sources = {"queries": asked.queries, "subjects": asked.subjects}
    _check_uploads(service, sources)
    alphabet = asked.known_alphabet() or _guessed(service, sources)
    unnamed = {"queries": "query", "subjects": "subject"}
    queries, subjects = (_store(service, name, sources[name], folder, alphabet, unnamed[name]) for name in sources)
    found = PairLists(queries, subjects, asked.pairing)
    try:
        found.check(service.settings.pair_bounds, asked.best)
    except UnequalLists as error:
        raise InvalidParameterError("/pairing", str(error)) from None
    except TooManyAlignments as error:
        raise InvalidParameterError("/best", str(error)) from None
    return asked.over(alphabet), found


def _check_uploads(service: Service, sources: dict[str, Source]) -> None:
    """Raise LimitExceeded for uploads with too many records, before any is read."""
    most = service.settings.pair_bounds.max_pairs
    for name, source in sources.items():
        if isinstance(source, UploadedSequences):
            with _named(name):
                records = service.uploads.get(source.upload).records
            if records > most:
                raise LimitExceeded("max_pairs", most, records)


def _guessed(service: Service, sources: dict[str, Source]) -> Alphabet:
    told = _told(service, sources)
    if told is not None:
        return told
    first = list[list[TextRecord]]()
    for name, source in sources.items():
        with _named(name), _opened(service, name, source) as file:
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
            with _named(name):
                found[name] = service.database(source.database).alphabet
    if len(set(found.values())) > 1:
        raise InvalidParameterError("/subjects", "one database is of proteins, the other one of nucleotides")
    return next(iter(found.values()), None)


def _store(
    service: Service, name: str, source: Source, folder: Path, alphabet: Alphabet, unnamed: str
) -> StoredSequences:
    with _named(name), storing(folder, WHAT):
        if isinstance(source, DatabaseSequences):
            if service.database(source.database).alphabet is not alphabet:
                kinds = ("proteins", "DNA") if alphabet is DNA else ("DNA", "proteins")
                detail = f"database {source.database} is of {kinds[0]}, not of {kinds[1]}"
                raise InvalidParameterError(f"/{name}", detail)
            return StoredSequences.write(folder / name, _of_database(service, name, source))
        with _opened(service, name, source) as file:
            most = MOST_RECORDS if isinstance(source, str) else None
            return StoredSequences.write_text(folder / name, file, name, alphabet, unnamed, most)


@contextmanager
def _named(name: str) -> Iterator[None]:
    """What is wrong with a list's text has the list's pointer; what is not there is the list's, too."""
    try:
        yield
    except FastaFormatError as error:
        raise InvalidListError(f"/{name}", error) from None
    except TooManySequences as error:
        raise InvalidParameterError(f"/{name}", f"{error}: they are uploaded first (/v1/uploads)") from None
    except (NotHereError, UploadNotFound) as error:
        raise InvalidParameterError(f"/{name}", str(error)) from None


@contextmanager
def _opened(service: Service, name: str, source: Source) -> Iterator[BufferedReader]:
    assert not isinstance(source, DatabaseSequences)
    if isinstance(source, UploadedSequences):
        with service.uploads.text(source.upload).open("rb") as file:
            yield file
        return
    yield BufferedReader(BytesIO(source.encode()))


def _of_database(service: Service, name: str, source: DatabaseSequences) -> Iterator[Letters]:
    database = service.readable(source.database)
    for place, accession in enumerate(source.accessions):
        subject = database.find(accession)
        if subject is None:
            raise InvalidParameterError(f"/{name}/accessions/{place}", f"no such sequence in {source.database}")
        yield Letters(database.accession(subject), database.sequence(subject))
