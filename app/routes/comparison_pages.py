"""The page of a comparison."""

from typing import Any

from fastapi import Request, Response
from redis.exceptions import RedisError

from app.problems import problem_about, unauthenticated
from app.responses.comparison_json import shown
from app.responses.search_json import root_of
from app.routers import new_router
from app.routes.comparisons import get_comparison
from app.routes.page import page, prefers_json
from app.service import CurrentService
from shardwater.errors import AlignError

router = new_router(include_in_schema=False)


@router.head("/comparisons/{comparison}")
@router.get("/comparisons/{comparison}")
def get_comparison_page(request: Request, comparison: str, service: CurrentService) -> Response:
    """A comparison: waiting, its plot, or why there is none. JSON for those who would rather have that."""
    view: dict[str, Any] = {"view": "comparison", "id": comparison}
    asks_json = prefers_json(request.headers.get("accept", ""))
    if not service.store.caller.may("search"):
        if asks_json:
            return unauthenticated(request)
        return page(request, service, "Shardwater", view, 401, script="compare")
    if asks_json:
        reply = get_comparison(request, comparison, service)
        reply.headers["Vary"] = "Accept"
        return reply
    try:
        state = service.comparisons.state(comparison)
        told = shown(root_of(request), service.comparisons, state)
    except (AlignError, RedisError) as error:
        problem = problem_about(request, error)
        view |= {"problem": problem.model_dump(mode="json", exclude_none=True)}
        return page(request, service, f"{problem.title} - Shardwater", view, problem.status, script="compare")
    view |= {"comparison": told.model_dump(mode="json", by_alias=True)}
    return page(request, service, f"{state.title or 'Comparison'} - Shardwater", view, script="compare")
