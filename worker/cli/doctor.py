"""`shardwater doctor`: looks, says what to do, and ends with 1 where something is at fault."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from worker.cli.console import Exit, input_errors, print_table

if TYPE_CHECKING:
    from worker.diagnostics.machine import Finding

_COLOURS = {"ok": "green", "warning": "yellow", "fault": "red"}


def doctor(
    data: Annotated[Path | None, typer.Option(help="Folder of the databases. Default: SHARDWATER_DATA.")] = None,
    checksums: Annotated[bool, typer.Option("--checksums", help="Read every database whole.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check whether this machine can run the service: programs, data, queue, GPUs, limits."""
    from worker.diagnostics.machine import sound

    with input_errors():
        findings = _examined(data, checksums=checksums)
    good = sound(findings)
    if as_json:
        typer.echo(json.dumps({"sound": good, "findings": [asdict(finding) for finding in findings]}, indent=1))
    else:
        _print(findings)
    if not good:
        raise typer.Exit(Exit.INPUT)


def _examined(data: Path | None, *, checksums: bool) -> "list[Finding]":
    from worker.diagnostics.gpus import gpus
    from worker.diagnostics.machine import Finding, data_folder, machine, programs
    from worker.diagnostics.redis_server import queue
    from worker.settings import Settings, SettingsError

    try:
        settings = Settings.from_env()
    except SettingsError as error:
        # What they are for cannot be looked at.
        return [*programs(), Finding("settings", "fault", str(error), "correct it: no part of the service starts")]
    settings = replace(settings, data=data or settings.data)
    return [
        *programs(),
        *data_folder(settings, checksums=checksums),
        *queue(settings),
        *gpus(settings),
        *machine(settings),
    ]


def _print(findings: "list[Finding]") -> None:
    from rich.text import Text

    rows = [(each.check, Text(each.state, _COLOURS[each.state]), each.found, each.advice) for each in findings]
    print_table(("check", "", "found", "what to do"), rows)
