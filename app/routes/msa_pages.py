"""The page of MSAs."""

from typing import Any

from fastapi import Request, Response
from redis.exceptions import RedisError

from app.problems import problem_about, unauthenticated
from app.responses.msa_json import shown
from app.responses.search_json import root_of
from app.routers import new_router
from app.routes.msas import get_msas
from app.routes.page import page, prefers_json
from app.service import CurrentService, Service
from shardwater.errors import AlignError

router = new_router(include_in_schema=False)


@router.head("/msas/{msas}")
@router.get("/msas/{msas}")
async def get_msa_page(request: Request, msas: str, service: CurrentService) -> Response:
    """MSAs: waiting, their rows, or why there are none. JSON for those who would rather have that."""
    if not prefers_json(request.headers.get("accept", "")):
        return await service.tellers.run(service.msas.caller.account, lambda: _page_of(request, service, msas))
    if not service.store.caller.may("search"):
        return unauthenticated(request)
    reply = await get_msas(request, msas, service)
    reply.headers["Vary"] = "Accept"
    return reply


def _page_of(request: Request, service: Service, msas: str) -> Response:
    view: dict[str, Any] = {"view": "msas", "id": msas}
    if not service.store.caller.may("search"):
        return page(request, service, "Shardwater", view, 401, script="msa")
    try:
        state = service.msas.state(msas)
        told = shown(root_of(request), service.msas, state)
    except (AlignError, RedisError) as error:
        problem = problem_about(request, error)
        view |= {"problem": problem.model_dump(mode="json", exclude_none=True)}
        return page(request, service, f"{problem.title} - Shardwater", view, problem.status, script="msa")
    view |= {"msas": told.model_dump(mode="json")}
    return page(request, service, f"{state.title or 'MSA'} - Shardwater", view, script="msa")
