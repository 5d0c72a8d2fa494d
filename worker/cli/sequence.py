"""`shardwater sequence`: sequences of a database as FASTA, from a data folder or a server."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from worker.cli.console import Exit, input_errors, output, progress_bar, stop
from worker.cli.options import Data, Db, Out, Server


def sequence(
    accessions: Annotated[list[str], typer.Argument(metavar="ACCESSION...", help="First words of their headers.")],
    db: Db,
    data: Data = None,
    server: Server = None,
    out: Out = None,
) -> None:
    """Get sequences of a database, with their original letters."""
    if data is not None and server is not None:
        raise typer.BadParameter("name either --data or --server")
    from worker.settings import Settings

    with input_errors():
        settings = Settings.from_env().with_flags(data, None)
        if server is not None:
            texts: Iterable[str] = _fetch(server, settings.api_key, db, accessions)
        else:
            texts = _read(settings.existing_data, db, accessions)
        with output(out) as file:
            for text in texts:
                file.write(text.encode())


def _fetch(server: str, key: str, name: str, accessions: list[str]) -> list[str]:
    from worker.cli.remote import Remote, remote_errors, sequence_remotely

    remote = Remote(server, key)
    with remote_errors():
        return [sequence_remotely(remote, name, accession) for accession in accessions]


def _read(data: Path, name: str, accessions: list[str]) -> Iterator[str]:
    """All of them, or none: a sequence is read when it is written, since chromosomes are large."""
    from shardwater.database.catalog import Catalog
    from shardwater.database.verified import verify_once
    from shardwater.formats.fasta import PART, fasta_parts

    database, subjects = Catalog(data).current(name), []
    with progress_bar(f"Checking {name}") as show:
        verify_once(database, show)
    for accession in accessions:
        subject = database.find(accession)
        if subject is None:
            stop(f"no sequence {accession!r} in database {name}", Exit.INPUT)
        subjects.append(subject)
    return (text for each in subjects for text in fasta_parts(database.header(each), database.parts(each, PART)))
