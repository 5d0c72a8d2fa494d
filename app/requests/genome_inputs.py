"""The two genomes of a comparison: read from the body, uploads or databases, and kept in the job's folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.problems import InvalidParameterError
from app.requests.sources import named, store_source
from app.service import Service
from shardwater.database.lookup import find_many
from shardwater.genomes.bounds import Extent
from shardwater.genomes.comparison import ComparisonError
from shardwater.genomes.genome import Genome
from shardwater.genomes.regions import places_of
from shardwater.search.databases import DatabaseUsed
from shardwater.sequences.alphabets import DNA
from worker.jobs.comparison_requests import ComparisonRequest
from worker.jobs.files import WHAT
from worker.jobs.folders import storing
from worker.jobs.genome_files import QUERY, SUBJECT, Databases, Genomes, keep_databases
from worker.jobs.pair_requests import DatabaseSequences, Source, UploadedSequences

MOST_NAME = 250
"""Characters: a summary, which is kept in Redis, names thousands of records."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredGenomes:
    """Both genomes, the digests of what is kept of them, and what databases they are of."""

    genomes: Genomes
    digests: tuple[str, ...]


def store_genomes(service: Service, asked: ComparisonRequest, folder: Path) -> StoredGenomes:
    """Both genomes in a folder.

    Raises InvalidListError, InvalidParameterError, LimitExceeded, and StorageFull.
    """
    sources, bounds = {QUERY: asked.query, SUBJECT: asked.subject}, service.settings.comparison_bounds
    databases = _databases(service, sources)
    bounds.check([each for name, source in sources.items() if (each := _known_extent(service, name, source))])
    query, subject = (store_source(service, name, source, folder, DNA, name) for name, source in sources.items())
    bounds.check([Extent(len(each), len(each.letters)) for each in (query, subject)])
    genomes = Genomes(Genome.stored(query), Genome.stored(subject))
    for side, genome in ((QUERY, genomes.query), (SUBJECT, genomes.subject)):
        _check_names(side, genome)
    try:
        for genome, regions in (
            (genomes.query, asked.regions_of("query")),
            (genomes.subject, asked.regions_of("subject")),
        ):
            list(places_of(genome, regions))
    except ComparisonError as error:
        raise InvalidParameterError("/regions", str(error)) from None
    # A name may have come to stand for another version meanwhile, of which some records may be.
    if databases and databases == _databases(service, sources):
        with storing(folder, WHAT):
            keep_databases(folder, databases)
    origins = (f"{side} {used.name} {used.version}" for side, used in databases.items())
    return StoredGenomes(genomes, (query.digest, subject.digest, *origins))


def _databases(service: Service, sources: Mapping[str, Source]) -> Databases:
    found = Databases()
    for side, source in sources.items():
        if isinstance(source, DatabaseSequences):
            with named(side):
                manifest = service.database(source.database).manifest
            found[side] = DatabaseUsed(manifest.name, manifest.version, manifest.checksum)
    return found


def _known_extent(service: Service, name: str, source: Source) -> Extent | None:
    """How much a source is, where that is known before it is read."""
    with named(name):
        if isinstance(source, UploadedSequences):
            upload = service.uploads.get(source.upload)
            return Extent(upload.records, upload.letters)
        if isinstance(source, DatabaseSequences):
            database = service.readable(source.database)
            found = [subject for subject in find_many(database, source.accessions) if subject is not None]
            return Extent(len(source.accessions), int(database.lengths[found].sum()))
    return None


def _check_names(side: str, genome: Genome) -> None:
    for record, name in enumerate(genome.names, 1):
        if len(name) > MOST_NAME:
            told = f"the name of record {record:,} has {len(name):,} characters; a genome's have {MOST_NAME} at most"
            raise InvalidParameterError(f"/{side}", told)
