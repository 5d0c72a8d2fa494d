"""The page of a job of pairs."""

from typing import Any

from fastapi import Request, Response
from redis.exceptions import RedisError

from app.problems import problem_about, unauthenticated
from app.responses.alignment_json import shown
from app.responses.search_json import root_of
from app.routers import new_router
from app.routes.alignments import get_alignment
from app.routes.page import page, prefers_json
from app.service import CurrentService
from shardwater.errors import AlignError

router = new_router(include_in_schema=False)


@router.head("/alignments/{alignment}")
@router.get("/alignments/{alignment}")
def get_alignment_page(request: Request, alignment: str, service: CurrentService) -> Response:
    """A job of pairs: waiting, its table, or why there is none. JSON for those who would rather have that."""
    view: dict[str, Any] = {"view": "alignment", "id": alignment}
    asks_json = prefers_json(request.headers.get("accept", ""))
    if not service.store.caller.may("search"):
        if asks_json:
            return unauthenticated(request)
        return page(request, service, "Shardwater", view, 401, script="align")
    if asks_json:
        reply = get_alignment(request, alignment, service)
        reply.headers["Vary"] = "Accept"
        return reply
    try:
        state = service.alignments.state(alignment)
        told = shown(root_of(request), service.alignments, state)
    except (AlignError, RedisError) as error:
        problem = problem_about(request, error)
        view |= {"problem": problem.model_dump(mode="json", exclude_none=True)}
        return page(request, service, f"{problem.title} - Shardwater", view, problem.status, script="align")
    view |= {"alignment": told.model_dump(mode="json")}
    return page(request, service, f"{state.title or 'Alignments'} - Shardwater", view, script="align")
