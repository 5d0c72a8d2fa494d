"""The command line: databases, the service and its workers, and searches without a browser.

Each command imports what it needs when it is called: `makedb` need not wait for Redis, HTTP and the engine.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shardwater.plural import plural
from worker.cli.align import align
from worker.cli.compare import compare
from worker.cli.console import (
    Exit,
    input_errors,
    print_table,
    progress_bar,
    say,
    stop,
    warn,
    warn_of_dna,
    warn_of_encoding,
)
from worker.cli.doctor import doctor
from worker.cli.jackhmmer import jackhmmer
from worker.cli.keys import keys
from worker.cli.msa import msa
from worker.cli.options import (
    BlastOptions,
    Devices,
    PlainErrors,
    Schedule,
    WordOptions,
    device_numbers,
    show_version,
)
from worker.cli.remote_searches import cancel, delete, fetch, list_searches
from worker.cli.search import format_result, search
from worker.cli.sequence import sequence
from worker.cli.ssca1 import ssca1
from worker.cli.verify import verify_result

if TYPE_CHECKING:
    from shardwater.database.catalog import Catalog
    from shardwater.database.manifest import Manifest
    from shardwater.database.taxa_files import WrittenTaxa
    from shardwater.engines.schedules import ScheduleName
    from worker.settings import Settings

cli = typer.Typer(
    cls=PlainErrors,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
databases = typer.Typer(help="Look after the databases of a data folder.", no_args_is_help=True)
cli.add_typer(databases, name="db")
cli.add_typer(keys, name="key")
cli.command(cls=BlastOptions, context_settings={"help_option_names": ["--help", "-help", "-h"]})(search)
cli.command(cls=WordOptions)(align)
cli.command(cls=WordOptions)(compare)
cli.command()(doctor)
cli.command("format", cls=WordOptions)(format_result)
cli.command(cls=WordOptions)(fetch)
cli.command()(cancel)
cli.command()(delete)
cli.command("list")(list_searches)
cli.command(context_settings={"help_option_names": ["-h", "--help"]})(jackhmmer)
cli.command(cls=WordOptions)(msa)
cli.command(cls=WordOptions)(sequence)
cli.command()(ssca1)
cli.command("verify", cls=WordOptions)(verify_result)

DataFolder = Annotated[Path | None, typer.Option(help="Folder of the databases. Default: SHARDWATER_DATA, or ./data.")]
Redis = Annotated[str | None, typer.Option("--redis", help="Redis or Valkey to use. Default: SHARDWATER_REDIS_URL.")]


@cli.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version (and commit).")
    ] = False,
) -> None:
    """Exact Smith-Waterman search of protein databases."""


def _settings(data: Path | None, redis: str | None = None) -> "Settings":
    """The environment's settings, with what the command line says in their place."""
    from worker.settings import Settings
    from worker.telemetry.logs import configure

    settings = Settings.from_env()
    configure(settings.log_level, settings.log_format)
    return settings.with_flags(data, redis)


def _scheduled(settings: "Settings", schedule: "ScheduleName | None") -> "Settings":
    return replace(settings, schedule=schedule or settings.schedule)


@cli.command(cls=WordOptions)
def makedb(
    fasta: Annotated[list[Path], typer.Argument(help="FASTA files, plain or gzip; - reads standard input.")],
    name: Annotated[str, typer.Option(help="Name of the database.")],
    out: Annotated[Path, typer.Option(help="Data folder to build in.")],
    shards: Annotated[int, typer.Option(min=1, help="Shards to serve it in, one worker (GPU) each.")] = 1,
    title: Annotated[str, typer.Option(help="What it holds, for people.")] = "",
    version: Annotated[str | None, typer.Option(help="Label of this version. Default: from its content.")] = None,
    ignore_invalid: Annotated[
        bool, typer.Option("--ignore-invalid", help="Leave out digits, gaps and the like inside sequences.")
    ] = False,
    dna: Annotated[
        bool, typer.Option("--dna", help="Nucleotides (IUPAC's codes): to align and compare, not to search.")
    ] = False,
    clusters: Annotated[
        Path | None,
        typer.Option(
            help="File of representative, tab and member (MMseqs2's createtsv): members are kept, and not searched."
        ),
    ] = None,
    taxid_map: Annotated[
        Path | None,
        typer.Option("--taxid-map", "-taxid_map", help="File of accession, tab and taxid: over those of headers."),
    ] = None,
    taxonomy: Annotated[
        Path | None,
        typer.Option("--taxonomy", help="Folder of NCBI's nodes.dmp, names.dmp and merged.dmp: what taxids mean."),
    ] = None,
) -> None:
    """Build a database from FASTA and make it the current version of its name."""
    from shardwater.database.build import build_database
    from shardwater.database.taxa_files import TaxonSources

    sources = [Path("/dev/stdin") if str(path) == "-" else path for path in fasta]
    with input_errors(), progress_bar(f"Reading {name}") as show:
        built = build_database(
            sources,
            out,
            name=name,
            title=title,
            version=version,
            shards=shards,
            alphabet="dna" if dna else "protein",
            ignore_invalid=ignore_invalid,
            clusters=clusters,
            taxon_sources=TaxonSources(taxid_map, taxonomy),
            progress=show,
        )
    if built.ignored:
        letters = "letters of DNA" if dna else "amino acid letters"
        warn(f"{plural(built.ignored, 'character')} inside sequences left out: not {letters}")
    warn_of_encoding(built.recoded)
    records = built.manifest.subjects + built.manifest.members
    warn_of_dna(records, built.like_dna, "; --dna builds a database of nucleotides")
    _warn_of_taxa(built.taxa)
    if (empty := shards - built.manifest.subjects) > 0:
        warn(f"{plural(empty, 'shard')} of {shards:,} without a sequence, with nothing to do for a worker")
    typer.echo(_summary(built.manifest))
    if built.clusters:
        typer.echo(_told_of_members(built.manifest, built.clusters))
    if built.taxa is not None:
        typer.echo(
            f"Taxa: {built.taxa.different:,}{'' if built.taxa.has_tree else ', without the tree that they are in'}"
        )


def _warn_of_taxa(taxa: "WrittenTaxa | None") -> None:
    if taxa is not None and taxa.unplaced:
        warn(f"{plural(taxa.unplaced, 'taxid')} in no line of the taxonomy: searches find each by itself alone")
    if taxa is not None and taxa.without:
        warn(f"{plural(taxa.without, 'sequence')} without a taxid: a search for taxa leaves them out")


def _told_of_members(manifest: "Manifest", clusters: int) -> str:
    size = f"{plural(manifest.members, 'member')} of {plural(manifest.member_residues, 'residue')}"
    return f"Not searched: {size}, represented by {plural(clusters, 'sequence')}"


def _summary(manifest: "Manifest") -> str:
    if manifest.alphabet == "dna":
        size = f"{plural(manifest.subjects, 'sequence')}, {plural(manifest.residues, 'nucleotide')}"
        return f"{manifest.name}, version {manifest.version}: {size} (longest {manifest.longest:,})"
    replaced = ", ".join(f"{letter} {count:,}" for letter, count in manifest.replaced.items())
    size = f"{plural(manifest.subjects, 'sequence')}, {plural(manifest.residues, 'residue')}"
    return (
        f"{manifest.name}, version {manifest.version}: {size} (longest {manifest.longest:,}) in "
        f"{plural(manifest.shards, 'shard')}\nLetters that score as X: {replaced or 'none'}"
    )


@cli.command()
def serve(
    data: DataFolder = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on. Default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes a free one. Default: 8000.")] = None,
    redis: Redis = None,
    app_only: Annotated[bool, typer.Option("--app-only", help="Start no workers: they run elsewhere.")] = False,
    schedule: Schedule = None,
) -> None:
    """Serve every database of the data folder on this machine: queue, workers, API and page."""
    from worker.supervision.service_plan import run_service

    with input_errors():
        settings = _scheduled(_settings(data, redis), schedule)
        if app_only and not settings.redis_url:
            stop("--app-only needs the workers' Redis: name it with --redis or SHARDWATER_REDIS_URL", Exit.INPUT)
        settings = replace(settings, host=host or settings.host, port=settings.port if port is None else port)
        run_service(settings, with_workers=not app_only)


@cli.command()
def work(
    database: Annotated[
        str | None, typer.Option(help="Name of the database. Without one: pairs alone are aligned.")
    ] = None,
    shard: Annotated[int, typer.Option(min=0, help="Which shard, from 0.")] = 0,
    data: DataFolder = None,
    version: Annotated[str | None, typer.Option(help="Version of the database. Default: the current one.")] = None,
    shards: Annotated[int | None, typer.Option(min=1, help="Of how many. Default: as the database was built.")] = None,
    devices: Devices = None,
    redis: Redis = None,
    schedule: Schedule = None,
) -> None:
    """Run one worker, of a shard or without a database, for a service of several machines."""
    numbers = device_numbers(devices)
    from worker.runner.process import ShardChoice, run_worker

    with input_errors():
        settings = _scheduled(_settings(data, redis), schedule)
        settings.continue_when_orphaned()
        run_worker(settings, ShardChoice(database, shard, shards, version) if database else None, numbers)


@cli.command()
def purge(data: DataFolder = None, redis: Redis = None) -> None:
    """Have the queue's append-only file rewritten: until then it keeps what was deleted or has expired."""
    from redis.exceptions import RedisError

    from worker.jobs.retention import purge as rewrite
    from worker.supervision.redis_loading import await_loaded
    from worker.supervision.valkey import EmbeddedValkey

    with input_errors():
        settings = _settings(data, redis)
        settings = replace(settings, redis_url=settings.redis_url or EmbeddedValkey(settings.existing_data).url)
        connection = settings.connect()
        await_loaded(connection)
        try:
            done = rewrite(connection)
        except RedisError as error:
            stop(f"the queue does not answer: {error}", Exit.SERVER)
    typer.echo("Purged." if done else "Nothing to purge: this Redis keeps no append-only file.")


def _catalog(data: Path | None) -> "Catalog":
    """The databases of a folder that is there; others are not made up by a wrong name."""
    from shardwater.database.catalog import Catalog

    return Catalog(_settings(data).existing_data)


@databases.command()
def use(
    name: Annotated[str, typer.Argument(help="Name of the database.")],
    version: Annotated[str, typer.Argument(help="The version that searches shall use.")],
    data: DataFolder = None,
) -> None:
    """Make a version the current one; a running service goes over when its workers have loaded it."""
    from shardwater.database.verified import verify_once

    with input_errors(), progress_bar(f"Checking {name}") as show:
        catalog = _catalog(data)
        verify_once(catalog.open(name, version), show)
        catalog.make_current(name, version)
    typer.echo(f"{name}: searches use version {version}")


@databases.command("list")
def list_databases(data: DataFolder = None) -> None:
    """Show the databases and their versions."""
    rows = []
    with input_errors():
        catalog = _catalog(data)
        for name in catalog.names():
            current = catalog.current_version(name)
            for version in catalog.versions(name):
                found = catalog.open(name, version)
                manifest = found.manifest
                row = (
                    name,
                    f"{version}{' (current)' if version == current else ''}",
                    manifest.alphabet,
                    f"{manifest.subjects:,}",
                    f"{manifest.residues:,}",
                    str(manifest.shards),
                    f"{found.created_at:%Y-%m-%d %H:%M}",
                    manifest.title,
                )
                rows.append(row)
    print_table(("name", "version", "alphabet", "sequences", "residues", "shards", "built", "title"), rows)


@databases.command()
def verify(
    name: Annotated[str, typer.Argument(help="Name of the database.")],
    data: DataFolder = None,
    version: Annotated[str | None, typer.Option(help="Which version. Default: the current one.")] = None,
) -> None:
    """Read a whole database and compare every byte with its checksums."""
    from shardwater.database import verified

    with input_errors(), progress_bar(f"Verifying {name}") as show:
        database = _catalog(data).open(name, version)
        verified.verify(database, show)
    typer.echo(f"{name}, version {database.manifest.version}: sound")


@databases.command()
def remove(
    name: Annotated[str, typer.Argument(help="Name of the database.")],
    data: DataFolder = None,
    version: Annotated[str | None, typer.Option(help="Only this version. Default: all of them.")] = None,
) -> None:
    """Delete a database, or one version of it."""
    with input_errors():
        _catalog(data).remove(name, version)
    typer.echo(f"{name}{f', version {version}' if version else ''}: removed")


def main() -> None:
    """The `shardwater` command."""
    try:
        try:
            cli(prog_name="shardwater")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads us (`| head`) has seen enough; nothing is left to flush.
        _end_output()
    except OSError as error:
        _end_output()
        say(f"shardwater: standard output: {error.strerror or error}")
        sys.exit(Exit.INPUT)


def _end_output() -> None:
    """Have nobody try again to write what is left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
