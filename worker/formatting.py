"""What `shardwater format` does: write a finished search's JSON in another format, without searching."""

import sys
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from shardwater.formats.selection import select_hits
from shardwater.results import SearchResult
from worker.console import Exit, input_errors, stop
from worker.outfmt import OutputFormat

_RESULT = TypeAdapter(SearchResult)


def run_format(source: Path, form: OutputFormat, query: int | None, hits: str | None, out: Path | None) -> None:
    """The whole command; ends it with its exit code where something is wrong."""
    with input_errors():
        text = sys.stdin.buffer.read() if str(source) == "-" else source.read_bytes()
        try:
            result = _RESULT.validate_json(text)
        except ValidationError:
            stop(f"{source}: not the JSON of a Shardwater result", Exit.INPUT)
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
    return replace(result, results=(one if hits is None else select_hits(one, hits),))
