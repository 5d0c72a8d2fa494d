"""Sequences that a body has or names: text in it, an upload, or records of a database; kept in a job's folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path

from app.problems import InvalidListError, InvalidParameterError, NotHereError
from app.service import Service
from shardwater.database.lookup import find_many
from shardwater.errors import FastaFormatError
from shardwater.ranges import ranges_of
from shardwater.sequences.alphabets import DNA, Alphabet
from shardwater.sequences.named import Letters
from shardwater.sequences.stored import StoredSequences, TooManySequences
from worker.jobs.files import WHAT
from worker.jobs.folders import storing
from worker.jobs.pair_requests import DatabaseSequences, Source, UploadedSequences
from worker.uploads.limits import UploadNotFound

MOST_RECORDS = 100_000
"""Sequences of a text in a body."""
_FOUND_TOGETHER = 1000
"""Accessions of a database that are looked up at once."""
_READ_TOGETHER = 1 << 22
"""Letters of them that are in memory at once, unless one sequence has more."""


def store_source(
    service: Service, name: str, source: Source, folder: Path, alphabet: Alphabet, unnamed: str
) -> StoredSequences:
    """A source's sequences in a folder of this name; unnamed: what records without a name are called.

    Raises InvalidListError, InvalidParameterError, and StorageFull.
    """
    with named(name), storing(folder, WHAT):
        if isinstance(source, DatabaseSequences):
            if service.database(source.database).alphabet is not alphabet:
                kinds = ("proteins", "DNA") if alphabet is DNA else ("DNA", "proteins")
                detail = f"database {source.database} is of {kinds[0]}, not of {kinds[1]}"
                raise InvalidParameterError(f"/{name}", detail)
            return StoredSequences.write(folder / name, _of_database(service, name, source))
        with opened(service, source) as file:
            most = MOST_RECORDS if isinstance(source, str) else None
            return StoredSequences.write_text(folder / name, file, name, alphabet, unnamed, most)


@contextmanager
def named(name: str) -> Iterator[None]:
    """What is wrong with a source's text has the source's pointer; what is not there is the source's, too."""
    try:
        yield
    except FastaFormatError as error:
        raise InvalidListError(f"/{name}", error) from None
    except TooManySequences as error:
        raise InvalidParameterError(f"/{name}", f"{error}: they are uploaded first (/v1/uploads)") from None
    except (NotHereError, UploadNotFound) as error:
        raise InvalidParameterError(f"/{name}", str(error)) from None


@contextmanager
def opened(service: Service, source: Source) -> Iterator[BufferedReader]:
    """The text of a source that is none of a database."""
    assert not isinstance(source, DatabaseSequences)
    if isinstance(source, UploadedSequences):
        with service.uploads.text(source.upload).open("rb") as file:
            yield file
        return
    yield BufferedReader(BytesIO(source.encode()))


def _of_database(service: Service, name: str, source: DatabaseSequences) -> Iterator[Letters]:
    database, accessions = service.readable(source.database), source.accessions
    for some in ranges_of(len(accessions), _FOUND_TOGETHER):
        subjects = list[int]()
        for place, subject in zip(some, find_many(database, accessions[some.start : some.stop]), strict=True):
            if subject is None:
                raise InvalidParameterError(f"/{name}/accessions/{place}", f"no such sequence in {source.database}")
            subjects.append(subject)
        # Proteins are read together, chromosomes one by one.
        few = int(database.lengths[subjects].sum()) <= _READ_TOGETHER
        letters = database.sequences(subjects) if few else map(database.sequence, subjects)
        for (accession, _), each in zip(database.names_of_all(subjects), letters, strict=True):
            yield Letters(accession, each)
