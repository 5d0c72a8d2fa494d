"""What `shardwater jackhmmer` does: one query searched here or through a server, its MSA and table written."""

import io
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import typer
from pydantic import ValidationError

from shardwater.errors import FastaFormatError
from shardwater.formats.msas.json_text import read_json
from shardwater.formats.msas.stockholm import write_stockholm
from shardwater.formats.msas.tblout import write_tblout
from shardwater.msa.msa import Msa
from shardwater.sequences.fasta import Record, read_fasta
from worker.cli.chains_here import opened_here
from worker.cli.console import search_bar, warn_of_text, whole_output
from worker.cli.run_search import Destination, read_text
from worker.jobs.msa_requests import MsaRequest
from worker.jobs.sentences import sentence
from worker.kinds.msa import chain_requests
from worker.settings import Settings

ENDINGS = (".gz", ".fasta", ".fa", ".faa", ".fas")
BESIDE = ".shardwater"
"""The ending of a file beside the FASTA, which names the database."""
FLAGS = {"iterations": "-N", "evalue": "-E", "inclusion_evalue": "--incE", "max_sequences": "--seq_limit"}


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for: a file with the query, a database, and jackhmmer's -N, -E, --incE and rows besides the query.

    Where no row is wanted, one is searched for and left out.
    """

    query: Path
    database: str
    rounds: int
    evalue: float
    inclusion: float
    rows: int

    def record(self) -> Record:
        """The query; raises FastaFormatError."""
        text = read_text(self.query)
        records = read_fasta(text, file=str(self.query))
        warn_of_text(text, str(self.query))
        if len(records) != 1:
            raise FastaFormatError(f"one query is searched for, not {len(records)}", file=str(self.query))
        return records[0].without_stop()

    def request(self, record: Record) -> MsaRequest:
        """The same as a server is asked; raises typer.BadParameter."""
        fields = {
            "iterations": self.rounds,
            "evalue": self.evalue,
            "inclusion_evalue": self.inclusion,
            "max_sequences": max(1, self.rows),
            "filter": "none",
        }
        text = f">query\n{record.residues.decode()}"
        try:
            return MsaRequest.model_validate({"queries": text, "databases": [self.database], **fields})
        except ValidationError as error:
            [first, *_] = error.errors()
            raise typer.BadParameter(sentence(first), param_hint=FLAGS.get(str(first["loc"][0]))) from None


@dataclass(frozen=True, slots=True)
class Files:
    """What is written: the MSA as Stockholm, and the table once or twice; to standard output where `out` is None."""

    alignment: Path | None
    table: Path | None
    out: Path | None


def database_name(fasta: Path) -> str:
    """The database that stands for a FASTA file: what a file beside it says, or its name without endings."""
    beside = fasta.with_name(fasta.name + BESIDE)
    if beside.is_file():
        return beside.read_text(encoding="utf-8", errors="replace").strip()
    name = fasta.name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name


def run_jackhmmer(question: Question, place: Destination, files: Files) -> None:
    """The whole command. Raises AlignError, OSError and typer.BadParameter."""
    record = question.record()
    request = question.request(record)
    found = _find_there(request, place) if place.subjects is None else _find_here(request, place)
    msa = replace(found, query=Record(record.header, found.query.residues))
    for path in (files.table, files.out) if files.table else (files.out,):
        with whole_output(path) as file:
            file.writelines(write_tblout(msa))
    if files.alignment is not None:
        included = np.flatnonzero(msa.figures["evalue"] <= question.inclusion)[: question.rows]
        with whole_output(files.alignment) as file:
            file.writelines(write_stockholm(msa.take(included.tolist())))


def _find_here(request: MsaRequest, place: Destination) -> Msa:
    assert place.subjects is not None
    [chain] = chain_requests(request, None)
    with opened_here([place.subjects], place.threads) as engine, search_bar() as show:
        [[one]] = engine.made([chain], lambda share: show(share, "scoring", None))
    return one.msa


def _find_there(request: MsaRequest, place: Destination) -> Msa:
    # Only now: a search here is made without loading HTTP.
    from worker.cli.remote import Remote, remote_errors, send, until_succeeded

    deadline = time.monotonic() + place.timeout
    with (
        remote_errors(),
        search_bar() as show,
        Remote(place.server or "", Settings.from_env().api_key).http as http,
    ):
        body = request.model_dump_json(exclude_unset=True)
        sent: dict[str, Any] = {"content": body, "headers": {"Content-Type": "application/json"}}
        accepted = send(http, deadline, "POST", "/v1/msas", **sent)
        state = until_succeeded(http, deadline, accepted, show)
        results = send(http, deadline, "GET", f"{state['links']['results']}?format=json")
    return read_json(io.BytesIO(results.content))
