"""What `shardwater format` does: write a finished search's JSON in another format, without searching."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from shardwater.formats.selection import select_hits
from shardwater.search.digests import WrongDigest
from shardwater.search.merge import SearchResult
from worker.cli.console import Exit, input_errors, stop, warn
from worker.cli.output_format import OutputFormat
from worker.jobs.results.digested import NoResult, digested, read_result


@dataclass(frozen=True, slots=True)
class Part:
    """What of a result is wanted: a query's part, some of its hits; None is all."""

    query: int | None = None
    hits: str | None = None

    def of(self, result: SearchResult) -> SearchResult:
        """The part; ends the command where there is none."""
        queries = len(result.results)
        if self.query is None and self.hits is None:
            return result
        if self.query is None and queries > 1:
            stop(f"--hits needs --query: the result has {queries} queries", Exit.INPUT)
        number = self.query or 1
        if number > queries:
            stop(f"there is no query {number}: the result has {queries}", Exit.INPUT)
        one = result.results[number - 1]
        return digested(replace(result, results=(one if self.hits is None else select_hits(one, self.hits),)))


def run_format(source: Path, form: OutputFormat, part: Part, out: Path | None, verify_with: Path | None) -> None:
    """The whole command; ends it with its exit code where something is wrong."""
    with input_errors():
        text = sys.stdin.buffer.read() if str(source) == "-" else source.read_bytes()
        try:
            result, doubt = read_result(text)
        except (NoResult, WrongDigest) as error:
            stop(f"{source}: {error}", Exit.INPUT)
        if verify_with is not None:
            _check_signature(source, result, doubt, verify_with)
        elif doubt:
            warn(f"{source}: {doubt}")
        form.write(part.of(result), out)


def _check_signature(source: Path, result: SearchResult, doubt: str, public_key: Path) -> None:
    try:
        from worker.jobs.results.signing import UnusableKey, WrongSignature, check_signature
    except ImportError:
        stop("--verify-with takes the library cryptography (make signing)", Exit.INPUT)
    if doubt:
        stop(f"{source}: {doubt}", Exit.INPUT)
    try:
        check_signature(result, public_key)
    except WrongSignature as error:
        stop(f"{source}: {error}", Exit.INPUT)
    except UnusableKey as error:
        stop(f"{public_key}: {error}", Exit.INPUT)
