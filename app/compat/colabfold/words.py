"""Problems in the words that ColabFold's clients know, on the routes that they ask.

They read `status` of any JSON, whatever the HTTP status is. In a problem of ours that is a number, of which they make a
KeyError. `reason` is for people.
"""

import gzip
import json

from fastapi.responses import JSONResponse
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.middleware.matching import matched
from app.problem_kinds import KINDS
from app.problems import MEDIA_TYPE

ASKED = frozenset({"/ticket/msa", "/ticket/pair", "/ticket/{ticket}"})
LATER = frozenset(f"urn:shardwater:problem:{name}" for name in ("quota-exceeded", "queue-full"))
"""After which a client waits some seconds and asks again."""
_DOWN = frozenset({KINDS["service-unavailable"].status, KINDS["storage-full"].status})


class Worded:
    """Says problems in those words, wherever they come from."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the reply back."""
        await self._app(scope, receive, _Wording(scope, send) if scope["type"] == "http" else send)


class _Wording:
    """A send that puts a word in the place of a problem, which comes in one piece."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._begun: Message | None = None
        """The head of a problem, which is sent when its body has come."""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and self._is_problem(message):
            self._begun = message
        elif self._begun is not None:
            headers = MutableHeaders(scope=self._begun)
            packed = "content-encoding" in headers
            word = JSONResponse(_said(gzip.decompress(message["body"]) if packed else message["body"]))
            headers.update(dict(word.headers))
            del headers["Content-Encoding"]
            await self._send(self._begun)
            await self._send({**message, "body": bytes(word.body)})
        else:
            await self._send(message)

    def _is_problem(self, message: Message) -> bool:
        # Most replies are none: for those no route is looked for.
        if MutableHeaders(scope=message).get("content-type") != MEDIA_TYPE:
            return False
        route = matched(self._scope)
        return route is not None and route.path in ASKED


def _said(body: bytes) -> dict[str, str]:
    problem = json.loads(body)
    status = "RATELIMIT" if problem["type"] in LATER else "MAINTENANCE" if problem["status"] in _DOWN else "ERROR"
    return {"status": status, "reason": problem["detail"]}
