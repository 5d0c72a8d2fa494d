"""What `shardwater format` does: write a finished search's JSON in another format, without searching."""

import sys
from dataclasses import replace
from pathlib import Path

from shardwater.digests import WrongDigest
from shardwater.formats.selection import select_hits
from shardwater.results import SearchResult
from worker.console import Exit, input_errors, stop, warn
from worker.digested import NoResult, digested, read_result
from worker.outfmt import OutputFormat


def run_format(source: Path, form: OutputFormat, query: int | None, hits: str | None, out: Path | None) -> None:
    """The whole command; ends it with its exit code where something is wrong."""
    with input_errors():
        text = sys.stdin.buffer.read() if str(source) == "-" else source.read_bytes()
        try:
            result, doubt = read_result(text)
        except (NoResult, WrongDigest) as error:
            stop(f"{source}: {error}", Exit.INPUT)
        if doubt:
            warn(f"{source}: {doubt}")
        form.write(_part(result, query, hits), out)


def _part(result: SearchResult, query: int | None, hits: str | None) -> SearchResult:
    queries = len(result.results)
    if query is None and hits is None:
        return result
    if query is None and queries > 1:
        stop(f"--hits needs --query: the result has {queries} queries", Exit.INPUT)
    number = query or 1
    if number > queries:
        stop(f"there is no query {number}: the result has {queries}", Exit.INPUT)
    one = result.results[number - 1]
    return digested(replace(result, results=(one if hits is None else select_hits(one, hits),)))
