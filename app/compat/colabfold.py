"""ColabFold's client, which asks a server of MMseqs2's kind for multiple alignments: there are none here yet.

It posts to /ticket/msa or /ticket/pair and follows /ticket/{id}, and reads the word in `status` of any JSON, whatever
the HTTP status. In a problem of ours that is a number, of which it makes a KeyError: it gets ERROR instead, which it
reports.
"""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.compat.faults import DialectRoute
from app.middleware.matching import matched
from app.problems import MEDIA_TYPE

ASKED = frozenset({"/ticket/msa", "/ticket/pair", "/ticket/{ticket}"})
ERROR = {"status": "ERROR"}
NOT_IMPLEMENTED = 501

router = APIRouter(include_in_schema=False, route_class=DialectRoute)


@router.post("/ticket/msa")
@router.post("/ticket/pair")
async def refuse_alignment() -> Response:
    """No multiple alignments are made here."""
    return JSONResponse(ERROR, NOT_IMPLEMENTED)


class Worded:
    """Says problems in the word that ColabFold's client knows, on the routes that it asks; wherever they come from."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the reply back."""
        await self._app(scope, receive, _Wording(scope, send) if scope["type"] == "http" else send)


class _Wording:
    """A send that puts the word in the place of a problem, which comes in one piece."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._body: bytes | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if headers.get("content-type") == MEDIA_TYPE and self._is_asked():
                word = JSONResponse(ERROR)
                self._body = bytes(word.body)
                headers.update(dict(word.headers))
                del headers["Content-Encoding"]
        elif self._body is not None:
            message = {**message, "body": self._body}
        await self._send(message)

    def _is_asked(self) -> bool:
        route = matched(self._scope)
        return route is not None and route.path in ASKED
