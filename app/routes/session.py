"""The page's sign-in: a key is taken once, and a cookie stands for it, which no script and no other site can use."""

import secrets
from typing import Literal, TypedDict

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from app.middleware.auth import SESSION_COOKIE, find_key
from app.problems import KEY_WRONG, NotHereError, forbidden, unauthenticated
from app.requests.large_bodies import small_body
from app.responses.search_json import root_of
from app.routers import new_router
from app.routes.page import listed
from app.service import CurrentService, Service
from worker.access.api_keys import Presented, session_name

SESSION_S = 12 * 3600

router = new_router(include_in_schema=False)


class SignIn(BaseModel):
    """What the page's form sends."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    key: str = Field(max_length=200)


class _CookieScope(TypedDict):
    path: str
    secure: bool
    httponly: bool
    samesite: Literal["strict"]


def _cookie_scope(request: Request) -> _CookieScope:
    """Where the cookie goes. Whoever says that the request came by https makes his own cookie stricter, no other's."""
    by_https = "https" in (request.url.scheme, request.headers.get("x-forwarded-proto"))
    return {"path": root_of(request) or "/", "secure": by_https, "httponly": True, "samesite": "strict"}


def _asked_for(service: Service) -> None:
    if service.settings.auth != "keys":
        raise NotHereError("this service has no sessions")


def _shown(service: Service) -> Response:
    databases = [database.model_dump(mode="json") for database in listed(service)]
    body = {"user": service.store.caller.owner, "databases": databases}
    return JSONResponse(body, headers={"Cache-Control": "no-store"})


@router.get("/session")
def get_session(service: CurrentService) -> Response:
    """Who has signed in, and what he can search: the cookie does not come along with another site's link to us."""
    _asked_for(service)
    return _shown(service)


@router.post("/session")
async def begin_session(request: Request, service: CurrentService) -> Response:
    """Take a key, and give a cookie for it."""
    _asked_for(service)
    sent = SignIn.model_validate_json(await small_body(request))
    presented = Presented.read(sent.key.strip())
    caller = None if presented is None else await find_key(service.listeners, presented)
    if presented is None or caller is None:
        return unauthenticated(request, KEY_WRONG, sent=True)
    if not caller.may("search"):
        return forbidden(request, "a key with the scope search is needed", "search")
    token = secrets.token_urlsafe(32)
    await service.listeners.set(session_name(token), presented.id, ex=SESSION_S)
    reply = await run_in_threadpool(_shown, service.of(caller))
    reply.set_cookie(SESSION_COOKIE, token, max_age=SESSION_S, **_cookie_scope(request))
    return reply


@router.delete("/session", status_code=204)
async def end_session(request: Request, service: CurrentService) -> Response:
    """Sign out."""
    _asked_for(service)
    await service.listeners.delete(session_name(request.cookies.get(SESSION_COOKIE, "")))
    reply = Response(status_code=204)
    reply.delete_cookie(SESSION_COOKIE, **_cookie_scope(request))
    return reply
