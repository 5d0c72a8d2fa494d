"""A comparison as it goes out."""

from dataclasses import asdict

from app.comparison_schemas import Comparison, ComparisonCertificate, ComparisonLinks
from app.middleware.matching import COMPARISONS
from app.problems import problem_of
from app.schemas import Shards
from worker.jobs.comparison_requests import ComparisonParameters
from worker.jobs.kept import reading
from worker.jobs.states import SearchState
from worker.jobs.store import JobStore
from worker.kinds.comparison import ComparedGenomes, read_compared


def path_of(root: str, comparison: str) -> str:
    """A comparison's address on this server."""
    return f"{root}{COMPARISONS}/{comparison}"


def parameters_of(comparisons: JobStore, comparison: str) -> ComparisonParameters:
    """How genomes are compared; raises SearchNotFound, SearchExpired and DamagedJob."""
    return comparisons.request_read(comparison, ComparisonParameters.model_validate_json)


def compared(comparisons: JobStore, comparison: str) -> ComparedGenomes:
    """What a comparison has made that has succeeded; raises what JobStore.packed_result does."""
    with reading(comparison):
        return read_compared(comparisons.packed_result(comparison))


def shown_certificate(found: ComparedGenomes) -> ComparisonCertificate:
    """A certificate as it goes out."""
    return ComparisonCertificate(**asdict(found.certificate))


def shown(root: str, comparisons: JobStore, state: SearchState, *, reused: bool = False) -> Comparison:
    """A comparison of the service below `root`; raises SearchNotFound, SearchExpired and DamagedJob."""
    brief = listed(root, comparisons, state).model_copy(update={"reused": reused})
    if state.state != "succeeded":
        return brief
    found = compared(comparisons, state.id)
    return brief.model_copy(update={"certificate": shown_certificate(found), "summary": found.summary})


def listed(root: str, comparisons: JobStore, state: SearchState) -> Comparison:
    """The same in a list, without what it has made, which may be long."""
    path = path_of(root, state.id)
    return Comparison(
        id=state.id,
        state=state.state,
        title=state.title,
        parameters=parameters_of(comparisons, state.id),
        created_at=state.created_at,
        finished_at=state.finished_at,
        expires_at=state.expires_at,
        progress=state.progress,
        phase=state.phase,
        parts=Shards(done=state.shards.done, total=state.shards.total),
        error=problem_of(state.error) if state.error else None,
        position=state.position,
        estimate_s=state.estimate_s,
        reused=False,
        certificate=None,
        summary=None,
        links=ComparisonLinks(
            self=path,
            results=f"{path}/results",
            records=f"{path}/records",
            dotplot_svg=f"{path}/figures/dotplot.svg",
            dotplot_png=f"{path}/figures/dotplot.png",
            events=f"{path}/events",
            cancel=f"{path}:cancel",
            align=f"{path}:align",
        ),
    )
