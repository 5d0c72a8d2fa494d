"""`shardwater compare --server`: both genomes uploaded, the job followed, its list, summary and dot plot fetched."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import httpx

from worker.cli.compare_outputs import SAME, Files, Outputs
from worker.cli.console import ShowSearch, search_bar, warn, whole_output
from worker.cli.remote import (
    Remote,
    RemoteInterrupted,
    accepted_job,
    cancel_accepted,
    remote_errors,
    until_succeeded,
)
from worker.cli.remote_align import RemoteLists, fetched, submitted, uploaded
from worker.cli.run_align import called, interruptible, opened
from worker.jobs.comparison_requests import ComparisonParameters


def run_compare_remotely(files: Files, asked: ComparisonParameters, outputs: Outputs, remote: Remote) -> None:
    """What `shardwater compare --server` does; ends the command with its exit code where that refuses or fails."""
    outputs.check_inputs(files)
    query, subject = files
    with (
        interruptible(),
        remote_errors(),
        opened(query) as ours,
        opened(subject) as theirs,
        search_bar("Comparing") as show,
        remote.http as http,
    ):
        lists = RemoteLists({"query": ours, "subject": theirs}, {"query": called(query), "subject": called(subject)})
        job = _compared(http, lists, asked, outputs.title, show)
        # An earlier server does not say.
        if job["summary"].get("same"):
            warn(SAME)
        _write_all(http, job, outputs)


def _compared(
    http: httpx.Client, lists: RemoteLists, asked: ComparisonParameters, title: str, show: ShowSearch
) -> dict[str, Any]:
    """The comparison, once it has succeeded. Ctrl-C cancels it (RemoteInterrupted); raises RemoteError."""
    job = dict[str, Any]()
    try:
        with uploaded(http, lists) as sources:
            body = {**asked.model_dump(mode="json", by_alias=True, exclude_defaults=True), **sources, "title": title}
            reply = submitted(http, "/v1/comparisons", lists, body)
        job = accepted_job(reply)
        return until_succeeded(http, float("inf"), reply, show)
    except KeyboardInterrupt:
        if job and not job["reused"]:
            cancel_accepted(http, job)
        raise RemoteInterrupted("interrupted; the genomes were not compared") from None


def _write_all(http: httpx.Client, job: dict[str, Any], outputs: Outputs) -> None:
    if outputs.folder is not None:
        outputs.folder.mkdir(parents=True, exist_ok=True)
    wanted: dict[str, str] = {"format": outputs.form}
    if outputs.columns is not None:
        wanted["columns"] = outputs.columns
    if outputs.spreadsheet:
        wanted["spreadsheet"] = "true"
    with whole_output(outputs.list) as file:
        file.writelines(fetched(http, f"{job['links']['results']}?{urlencode(wanted)}"))
    if outputs.summary is not None:
        with whole_output(outputs.summary) as file:
            file.write(json.dumps(job["summary"], indent=2).encode() + b"\n")
    if outputs.dotplot is not None:
        with whole_output(outputs.dotplot) as file:
            file.writelines(_drawn(http, job, outputs.dotplot.suffix.lower()))


def _drawn(http: httpx.Client, job: dict[str, Any], suffix: str) -> Iterator[bytes]:
    return fetched(http, job["links"]["dotplot_png" if suffix == ".png" else "dotplot_svg"])
