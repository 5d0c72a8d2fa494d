"""The result of a comparison in its formats, written as it is sent, and its dot plots."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

from fastapi import Response
from fastapi.responses import StreamingResponse

from app.problems import InvalidParameterError
from app.responses.ended_comparison import EndedComparison
from app.responses.file_names import file_name
from app.responses.written import Begun
from app.service import Service
from shardwater.formats.chunks import in_chunks
from shardwater.formats.genomes.layout import ROWS, Layout
from shardwater.formats.genomes.names import GenomeFormat
from shardwater.formats.genomes.writers import WRITERS, columns_for

ResultForm = Literal[GenomeFormat, "rows"]
MEDIA_TYPES: dict[ResultForm, str] = {
    "json": "application/json",
    "ndjson": "application/x-ndjson",
    "csv": "text/csv",
    "paf": "text/x-paf",
    "maf": "text/x-maf",
    "psl": "text/x-psl",
    "chain": "text/x-chain",
    "bed": "text/x-bed",
    "tab": "text/tab-separated-values",
    "rows": "application/octet-stream",
}
FORMATS = {media_type: name for name, media_type in MEDIA_TYPES.items()}
"""By the media types that `Accept` may name."""
_ENDINGS: dict[ResultForm, str] = {"tab": "tsv", "rows": "bin"}
JSON: dict[str, Any] = {"application/json": {"schema": {"$ref": "#/components/schemas/ComparisonResult"}}}
CONTENT: dict[str, Any] = {
    **JSON,
    **{media_type: {"schema": {"type": "string"}} for media_type, name in FORMATS.items() if name != "json"},
    MEDIA_TYPES["rows"]: {"schema": {"type": "string", "format": "binary"}},
}
"""What a reply's content is to the interface's description."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a result is to be written, and whether as a file, with a name; columns, and whether no name is to be a
    spreadsheet's formula, are of tables.
    """

    name: ResultForm = "json"
    columns: str | None = None
    spreadsheet: bool = False
    file: bool = True

    def layout(self) -> Layout:
        """What of it writers take; raises InvalidParameterError and UnknownColumn."""
        if self.name == "tab":
            return Layout(columns=columns_for(self.name, self.columns), for_spreadsheets=self.spreadsheet)
        if self.columns is not None:
            raise InvalidParameterError("columns", f"format {self.name} has no columns; tab has")
        if self.spreadsheet:
            raise InvalidParameterError("spreadsheet", "only tab has cells of text")
        return Layout()


AS_JSON = Wanted(file=False)


async def whole_result(service: Service, comparison: str, wanted: Wanted = AS_JSON) -> Response:
    """All that a comparison has found that has succeeded.

    Raises what JobStore.packed_result does, DamagedJob where its files are not what they were, and
    InvalidParameterError.
    """
    account = service.comparisons.caller.account
    return await service.writers.reply(account, lambda: _begun(service, comparison, wanted))


def head_of_result(service: Service, comparison: str, wanted: Wanted = AS_JSON) -> StreamingResponse:
    """The headers of the same, of which nothing is read; raises what JobStore.packed_result does, and
    InvalidParameterError.
    """
    wanted.layout()
    headers = _headers(service, EndedComparison.of(service, comparison), wanted)
    # Its length is not known before it is written.
    return StreamingResponse((), headers=headers, media_type=MEDIA_TYPES[wanted.name])


def _begun(service: Service, comparison: str, wanted: Wanted) -> Begun:
    layout, name = wanted.layout(), wanted.name
    ended = EndedComparison.of(service, comparison)
    chunks = _packed(ended) if name == "rows" else _written(ended, name, layout)
    # What is wrong with these is answered by a problem; what comes later breaks the connection.
    return Begun(_headers(service, ended, wanted), chain((next(chunks, b""),), chunks), MEDIA_TYPES[name])


def _headers(service: Service, ended: EndedComparison, wanted: Wanted) -> dict[str, str]:
    headers, name = {"Cache-Control": "private, no-cache"}, wanted.name
    if wanted.file:
        called = file_name(service.comparisons.state(ended.id).title, ended.id)
        headers["Content-Disposition"] = f'attachment; filename="{called}.{_ENDINGS.get(name, name)}"'
    return headers


def _written(ended: EndedComparison, name: GenomeFormat, layout: Layout) -> Iterator[bytes]:
    writer = WRITERS[name]
    head = ended.head() if name == "json" else {}
    layout = replace(layout, comparison=ended.parameters.comparison, head=head)
    return in_chunks(writer.write(ended.listed(writer.shows), layout))


def _packed(ended: EndedComparison) -> Iterator[bytes]:
    """The rows of all HSPs as they are kept."""
    hsps = ended.hsps()
    return (hsps[first : first + ROWS].pack() for first in range(0, len(hsps), ROWS))
