"""Names in a query string: one that a route does not know is refused, since passing over it would answer another
question than was asked.
"""

import re
from collections.abc import Collection
from typing import cast, get_args, get_origin

from fastapi import Request
from fastapi.routing import APIRoute

from app.problems import SENT_TWICE, InvalidParameterError
from worker.jobs.decimals import is_whole

RAW = "text/x-fasta"

_NONE = "there is no such parameter here, nor any other"
# A longer one may be a sequence that was put into the wrong place: no part of it goes back, or into somebody's log.
_SHOWN = re.compile(r"[\w.\[\]-]{1,32}")


async def known_parameters(request: Request) -> None:
    """Raise InvalidParameterError for a name that a route of /v1 does not know, or that is given twice."""
    route = cast(APIRoute, request.scope["route"])
    body = (route.openapi_extra or {}).get("requestBody", {"content": {}})
    # Beside a search as raw text its fields are parameters, which are read with the body (app/requests/bodies.py).
    if RAW in body["content"] or not route.path.startswith("/v1/"):
        return
    known = {each.alias: _is_list(each.field_info.annotation) for each in route.dependant.query_params}
    refuse_others(request, known, f"there is no such parameter here, only {', '.join(known)}" if known else _NONE)
    for name, many in known.items():
        if not many and len(request.query_params.getlist(name)) > 1:
            raise InvalidParameterError(name, SENT_TWICE)
    for each in route.dependant.query_params:
        given = request.query_params.get(each.alias)
        if given is not None and _is_number(each.field_info.annotation) and not is_whole(given):
            raise InvalidParameterError(each.alias, "a whole number is needed, in digits alone")


def refuse_others(request: Request, known: Collection[str], detail: str) -> None:
    """Raise InvalidParameterError for the first name in the query string that is not known."""
    for name in request.query_params:
        if name not in known:
            raise InvalidParameterError(name if _SHOWN.fullmatch(name) else "query string", detail)


def _is_number(annotation: object) -> bool:
    return int in (annotation, *get_args(annotation))


def _is_list(annotation: object) -> bool:
    return any(get_origin(kind) is list for kind in (annotation, *get_args(annotation)))
