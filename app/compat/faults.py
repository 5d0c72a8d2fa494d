"""Errors in a dialect's own form: what our own interface would answer, handed to the dialect to be said its way."""

import json
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect

from app.middleware.request_limits import TooSlow
from app.problems import answer_to
from app.schemas import Problem
from shardwater.errors import LimitExceeded


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong: the name of our problem's type, its status, and a sentence with the dialect's names in it."""

    type: str
    status: int
    text: str


Said = Callable[[Request, Fault], Response]


class DialectRoute(APIRoute):
    """A route of an older interface."""


def route_class(said: Said, names: Mapping[str, str]) -> type[DialectRoute]:
    """Routes whose errors are said by this function; `names` has the dialect's name for a field of a SearchRequest."""

    class Route(DialectRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handler = super().get_route_handler()

            async def answer(request: Request) -> Response:
                try:
                    return await handler(request)
                except Exception as error:
                    if isinstance(error, TooSlow | ClientDisconnect) or (
                        isinstance(error, LimitExceeded) and error.name == "max_body_bytes"
                    ):
                        # Some of the body has not been read: the connection ends with our own answer.
                        raise
                    problem = answer_to(request, error)
                    reply = said(request, _fault(problem, names))
                    told = ("Retry-After", "RateLimit-Policy", "RateLimit")
                    reply.headers.update({name: problem.headers[name] for name in told if name in problem.headers})
                    return reply

            return answer

    return Route


def fault_of(request: Request, error: Exception) -> Fault:
    """What is wrong with one of several things that a request asks for."""
    return _fault(answer_to(request, error), {})


def _fault(reply: Response, names: Mapping[str, str]) -> Fault:
    problem = Problem.model_validate(json.loads(bytes(reply.body)))
    return Fault(problem.type.rpartition(":")[2], problem.status, _text(problem, names))


def _text(problem: Problem, names: Mapping[str, str]) -> str:
    if problem.limit is not None or problem.errors is None or problem.errors[0].line is not None:
        return problem.detail
    parts = []
    for error in problem.errors:
        name = (error.pointer or "").lstrip("/") or error.parameter or ""
        # Of a list, the field that it stands in.
        field = name.partition("/")[0]
        parts.append(f"{names.get(field, field)}: {error.detail}" if name else error.detail)
    return "; ".join(parts)
