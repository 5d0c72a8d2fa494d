"""Which route answers a request, told by the router's own rules for all that must know before it runs."""

from collections.abc import Iterator

from starlette.requests import Request
from starlette.routing import Match, Route
from starlette.types import Scope

SEARCHES = "/v1/searches"
"""Where searches are created."""
ALIGNMENTS = "/v1/alignments"
COMPARISONS = "/v1/comparisons"
MSAS = "/v1/msas"
UPLOADS = "/v1/uploads"
"""Where bodies are written to a file as they come: they may be larger than others, and take longer."""


def matching(scope: Scope) -> Iterator[tuple[Match, Route]]:
    """All routes of a request's path in the router's order; those for other methods match in part."""
    for route in scope["app"].routes:
        match, _ = route.matches(scope)
        if match is not Match.NONE:
            yield match, route


def is_upload(scope: Scope) -> bool:
    """Whether a request's body is an upload; by no other spelling of its path, which makes it a body like others."""
    path: str = scope["path"]
    return scope["method"] == "POST" and path.removeprefix(scope.get("root_path", "")) == UPLOADS


def reads_pages(request: Request) -> bool:
    """Whether a request comes from somebody at a browser, who would rather read a page than a problem document."""
    return "text/html" in request.headers.get("accept", "")


def matched(scope: Scope) -> Route | None:
    """The route that answers a request, with 405 where its method is not the route's; None where that is 404.

    It is looked for once: to ask all routes takes a good part of what a short reply does.
    """
    asked = scope["method"], scope["path"], scope.get("root_path", "")
    if scope.get("matched", (None,))[0] != asked:
        scope["matched"] = asked, _first(scope)
    route: Route | None = scope["matched"][1]
    return route


def _first(scope: Scope) -> Route | None:
    first = None
    for match, route in matching(scope):
        if match is Match.FULL:
            return route
        first = first or route
    return first
