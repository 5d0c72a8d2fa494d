"""What a search was asked with, to be looked at, edited, or sent again."""

from fastapi import Response

from app.problems import documented
from app.routers import new_router
from app.service import CurrentService, Service
from worker.jobs.requests import SearchRequest

router = new_router(tags=["searches"])


@router.get("/v1/searches/{search}/request", response_model=SearchRequest, responses=documented(404, 410, 422))
async def get_search_request(search: str, service: CurrentService) -> Response:
    """Get the body of a search as it was sent, queries included: posted again it asks for the same."""
    # It may be as long as a body may, and takes several times its length while it is read.
    body = await service.tellers.run(service.store.caller.account, lambda: _written(service, search))
    return Response(body, media_type="application/json", headers={"Cache-Control": "private, no-cache"})


def _written(service: Service, search: str) -> str:
    asked, _ = service.store.request(search)
    # The scores of a matrix of the client's own are in the result; what was sent has its id.
    return asked.model_dump_json(exclude_unset=True, exclude={"matrix_scores"})
