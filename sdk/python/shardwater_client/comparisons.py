"""Genomes compared by the server, as steps: both sent, the job followed to its end, its list in any format."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar, cast

from shardwater_client import errors, pairs
from shardwater_client.calls import Calls, read
from shardwater_client.errors import ComparisonFailedError, ComparisonTimeoutError
from shardwater_client.generated import models
from shardwater_client.generated.api.comparisons import (
    align_stretches,
    cancel_comparison,
    create_comparison,
    delete_comparison,
    estimate_comparison,
    get_comparison,
    get_comparison_results,
)
from shardwater_client.generated.api.figures import get_dotplot_png, get_dotplot_svg
from shardwater_client.generated.types import UNSET
from shardwater_client.sources import UPLOAD_TIMEOUT_S, Sequences, asked, each_line
from shardwater_client.steps import Call, Flow, Request

Told = Callable[[models.Comparison], None]
"""Is called with the comparison each time that it is asked for."""
Picture = Literal["svg", "png"]
StretchFields = TypedDict("StretchFields", {"record": str, "from": int, "to": int})
RegionFields = TypedDict("RegionFields", {"side": models.GenomeSide, "record": str, "from": int, "to": int})
"""Letters of a record, named or as `#2`, from 1, the last one with them."""
Stretch = models.Stretch | StretchFields
Place = TypeVar("Place", models.Stretch, models.RegionAsked)


class ComparisonParameters(TypedDict, total=False):
    """How genomes are compared; what is left out has the server's default."""

    word: int
    sensitivity: models.Sensitivity
    max_frequency: int
    extension: models.Extension
    x_drop: int
    """HSPs are cut where the score falls by more; 0: never."""
    strands: models.ComparedStrands
    min_length: int
    min_identity: float
    gapped: models.Gapped
    match: int
    mismatch: int
    gap_open: int
    """A gap of n letters costs gap_open + n * gap_extend."""
    gap_extend: int
    regions: Sequence[models.RegionAsked | RegionFields]
    """Parts of either side; places count from 1, the last one with them."""
    title: str


class StretchParameters(TypedDict, total=False):
    """How two stretches are aligned; scores that are left out are the comparison's."""

    strand: models.Strand
    match: int
    mismatch: int
    gap_open: int
    gap_extend: int


def estimate(
    calls: Calls, query: Sequences, subject: Sequences, parameters: Mapping[str, Any]
) -> Call[models.ComparisonEstimate]:
    """What a comparison would take."""

    def arguments(body: models.ComparisonRequest) -> dict[str, Any]:
        return estimate_comparison._get_kwargs(body=body)

    sides = {"query": query, "subject": subject}
    reply = yield from asked(calls, models.ComparisonRequest, sides, _with_regions(parameters), arguments)
    return read(models.ComparisonEstimate, reply)


def submit(
    calls: Calls, query: Sequences, subject: Sequences, parameters: Mapping[str, Any], *, fresh: bool
) -> Call[models.Comparison]:
    """Have genomes compared, and do not wait."""

    def arguments(body: models.ComparisonRequest) -> dict[str, Any]:
        return create_comparison._get_kwargs(
            body=body,
            cache_control="no-cache" if fresh else UNSET,
            # One key for all tries, so that a job whose reply got lost is found and not run twice.
            idempotency_key=f'"{uuid.uuid4()}"',
        )

    sides = {"query": query, "subject": subject}
    reply = yield from asked(calls, models.ComparisonRequest, sides, _with_regions(parameters), arguments)
    return read(models.Comparison, reply)


def _with_regions(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same with each region as a model."""
    regions = parameters.get("regions")
    if not regions:
        return parameters
    return {**parameters, "regions": [_model(models.RegionAsked, each) for each in regions]}


def _model(kind: type[Place], fields: Place | Mapping[str, Any]) -> Place:
    """Fields as a model; raises TypeError where these are not its own."""
    if isinstance(fields, kind):
        return fields
    try:
        made = kind.from_dict(cast(Mapping[str, Any], fields))
        if made.to_dict() == fields:
            return made
    except (KeyError, TypeError, ValueError):
        pass
    raise TypeError(f"{fields} is no {kind.__name__}")


def compared(
    calls: Calls, comparison_id: str, timeout_s: float | None, progress: Told | None
) -> Call[models.Comparison]:
    """A comparison, once it has succeeded."""
    request = Request(get_comparison._get_kwargs(comparison_id))
    late = ComparisonTimeoutError(comparison_id)
    try:
        found = yield from calls.ended(request, models.Comparison, late, calls.deadline(timeout_s), progress)
        if found.state != "succeeded":
            raise _failure_of(found)
    except errors.ShardwaterError as error:
        error.comparison_id = comparison_id
        raise
    return found


def _failure_of(comparison: models.Comparison) -> ComparisonFailedError:
    problem = comparison.error
    error = ComparisonFailedError(problem.detail if problem else f"{comparison.id} was {comparison.state}", problem)
    error.comparison = comparison
    return error


def status(calls: Calls, comparison_id: str) -> Call[models.Comparison]:
    """How a comparison stands."""
    reply = yield from calls.send(Request(get_comparison._get_kwargs(comparison_id)))
    return read(models.Comparison, reply)


def cancel(calls: Calls, comparison_id: str) -> Call[models.Comparison]:
    """Stop a comparison."""
    reply = yield from calls.send(Request(cancel_comparison._get_kwargs(comparison_id)))
    return read(models.Comparison, reply)


def delete(calls: Calls, comparison_id: str) -> Call[None]:
    """Remove a comparison, its genomes and its result."""
    yield from calls.remove(Request(delete_comparison._get_kwargs(comparison_id)))


def align(
    calls: Calls, comparison_id: str, query: Stretch, subject: Stretch, parameters: Mapping[str, Any]
) -> Flow[models.AlignedPair]:
    """Have a stretch of each genome aligned: one pair."""
    if unknown := sorted(parameters.keys() - StretchParameters.__annotations__.keys()):
        raise TypeError(f"there is no parameter {', '.join(unknown)}")
    body = models.StretchAlignment(
        query=_model(models.Stretch, query), subject=_model(models.Stretch, subject), **parameters
    )
    arguments = align_stretches._get_kwargs(comparison_id, body=body, idempotency_key=f'"{uuid.uuid4()}"')
    reply = yield from calls.send(Request(arguments))
    yield from pairs.of_job(calls, read(models.Alignment, reply))


def hsps(calls: Calls, comparison_id: str) -> Flow[models.GenomeHsp]:
    """The list of a comparison that has succeeded, one by one."""
    arguments = get_comparison_results._get_kwargs(comparison_id, format_="ndjson")
    yield from each_line(calls, arguments, models.GenomeHsp)


def pieces(calls: Calls, comparison_id: str, form: models.ComparisonFormat, columns: Sequence[str]) -> Flow[bytes]:
    """The list in a format, piece by piece."""
    arguments = get_comparison_results._get_kwargs(
        comparison_id, format_=form, columns=",".join(columns) if columns else UNSET
    )
    yield from calls.stream(Request(arguments, UPLOAD_TIMEOUT_S))


def dot_plot(calls: Calls, comparison_id: str, form: Picture, width: int) -> Call[bytes]:
    """Its dot plot."""
    operation = get_dotplot_svg if form == "svg" else get_dotplot_png
    reply = yield from calls.send(Request(operation._get_kwargs(comparison_id, width=width), UPLOAD_TIMEOUT_S))
    return reply.content
