"""The page of what was made from a browser, at `/history`: the list is in the browser alone."""

from fastapi import Request, Response

from app.routers import new_router
from app.routes.page import page
from app.service import CurrentService

router = new_router(include_in_schema=False)


@router.head("/history")
@router.get("/history")
def get_history_page(request: Request, service: CurrentService) -> Response:
    """The shell; its script lists what the browser keeps."""
    return page(request, service, "History - Shardwater", {"view": "history"})
