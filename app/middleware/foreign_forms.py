"""What a form on another site's page may do here, by what the browser says about the navigation.

Scripts cannot set or change these headers, so they tell a user's click from a script's request. Browsers send
`Sec-Fetch-*` to HTTPS and to this machine; over plain HTTP to another name they send `Origin` alone.
"""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from app.middleware.matching import ALIGNMENTS, COMPARISONS, MSAS, SEARCHES
from app.requests.forms import ENCODINGS, media_type_of

FORM_OF = {SEARCHES: "/", ALIGNMENTS: "/align", COMPARISONS: "/compare", MSAS: "/msas"}
"""Where jobs are created, and the page's own form for each."""


def posts_form(request: Request, route: str) -> bool:
    """Whether a request posts an HTML form to a route that creates jobs."""
    return request.method == "POST" and route in FORM_OF and media_type_of(request) in ENCODINGS


def starts_search(request: Request, route: str) -> bool:
    """Whether a form may start a search: a user sent it, and the answer replaces the page that the user sees.

    A script, a frame and a page that submits its form by itself may not.
    """
    headers = request.headers
    said = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest"), headers.get("sec-fetch-user"))
    return route == SEARCHES and posts_form(request, route) and said == ("navigate", "document", "?1")


def own_form(request: Request, route: str) -> Response | None:
    """The browser posts the form again, to the page's own form, which waits for a click there.

    None for a script or a frame, whose user would see nothing of it.
    """
    if request.headers.get("sec-fetch-dest", "document") != "document":
        return None
    return RedirectResponse(f"{request.scope.get('root_path', '')}{FORM_OF[route]}", 307, {"Cache-Control": "no-store"})
