"""The page for people: a search at `/searches/{id}`, and the files that all pages are made of.

The server sends a shell with all that the page needs for its first view as JSON; the script draws the rest.
"""

import json
from dataclasses import asdict
from html import escape
from string import Template
from typing import Any, cast

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, JSONResponse
from redis.exceptions import RedisError
from starlette.exceptions import HTTPException

from app.middleware.compression import takes_gzip
from app.middleware.matching import reads_pages
from app.page.assets import SHARED, Asset, Script, assets, needed, template
from app.page.theme import theme_of
from app.problems import NotHereError, problem_about, unauthenticated
from app.responses.hit_pages import index
from app.responses.parameters import by_kind, matrix_costs
from app.responses.search_json import root_of, shown
from app.routers import new_router
from app.routes.databases import describe
from app.routes.info import get_service_info
from app.routes.searches import get_search
from app.schemas import DatabaseInfo
from app.service import CurrentService, Service
from shardwater.errors import AlignError
from shardwater.sequences.fasta import count_headers
from shardwater.software import software

router = new_router(include_in_schema=False)

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)


@router.head("/searches/{search}")
@router.get("/searches/{search}")
def get_searchpage(request: Request, search: str, service: CurrentService) -> Response:
    """A search: waiting, its result, or why there is none. JSON for those who would rather have that."""
    if not service.store.caller.may("search"):
        if prefers_json(request.headers.get("accept", "")):
            return unauthenticated(request)
        return page(request, service, "Shardwater", {"view": "search", "id": search}, 401)
    if prefers_json(request.headers.get("accept", "")):
        reply = get_search(request, search, service)
        reply.headers["Vary"] = "Accept"
        return reply
    view: dict[str, Any] = {"view": "search", "id": search}
    try:
        state = service.store.state(search)
        asked, _ = service.store.request(search)
    except (AlignError, RedisError) as error:
        problem = problem_about(request, error)
        view |= {"problem": problem.model_dump(mode="json", exclude_none=True)}
        return page(request, service, f"{problem.title} - Shardwater", view, problem.status)
    view |= {
        "search": shown(root_of(request), state).model_dump(mode="json"),
        "queries": max(1, count_headers(asked.sequence)),
    }
    return page(request, service, f"{state.title or 'Search'} - Shardwater", view)


def install(app: FastAPI) -> None:
    """Answer a browser's request for an address that leads nowhere with a page; programs get the problem document."""
    refuse = app.exception_handlers[HTTPException]

    async def on_http(request: Request, error: Exception) -> Response:
        refusal = cast(Response, refuse(request, error))
        if refusal.status_code != 404 or not reads_pages(request):
            return refusal
        return await run_in_threadpool(_missing, request)

    app.add_exception_handler(HTTPException, on_http)


def _missing(request: Request) -> Response:
    service = request.app.state.service.of(request.scope["caller"])
    return page(request, service, "Nothing here - Shardwater", {"view": "missing"}, 404)


def listed(service: Service, script: Script = "page") -> list[DatabaseInfo]:
    """The databases that can be searched, or whose sequences can be aligned, for those who may."""
    if not service.store.caller.may("search"):
        return []
    databases = service.databases() if script in ("align", "compare") else service.searchable()
    return [describe(service, database) for database in databases]


def prefers_json(accept: str) -> bool:
    """Whether a request comes from a program, not from a browser."""
    return "application/json" in accept and "text/html" not in accept


def page(
    request: Request, service: Service, title: str, view: dict[str, Any], status: int = 200, script: Script = "page"
) -> Response:
    """The shell with what its first view needs, and the script that draws it."""
    root = root_of(request)
    try:
        databases = listed(service, script)
    except RedisError as error:
        problem = problem_about(request, error)
        databases, status = [], problem.status
        view |= {"problem": problem.model_dump(mode="json", exclude_none=True)}
    boot = {
        "root": root,
        "info": get_service_info(service).model_dump(mode="json"),
        "parameters": {
            "parameters": [
                each.model_dump(mode="json", exclude={"description"})
                for each in by_kind()["search" if script == "page" else script]
            ],
            "matrices": [each.model_dump(mode="json") for each in matrix_costs()],
        },
        "databases": [database.model_dump(mode="json") for database in databases],
        "user": service.store.caller.owner,
        "door": service.settings.auth == "keys",
        "links": [rule.model_dump() for rule in request.app.state.links.rules],
        **view,
    }
    files = assets()
    text = Template(template()).substitute(
        root=escape(root),
        theme=theme_of(request),
        title=escape(title),
        version=escape(software().version),
        icon=files["icon.svg"].version,
        script=script,
        css=files[f"{script}.css"].version,
        js=files[f"{script}.js"].version,
        # Before the script asks for them.
        preload="".join(f'<link rel="modulepreload" href="{escape(root)}/assets/{name}">\n' for name in needed(script)),
        # Inside a script element only `<` could end it.
        boot=json.dumps(boot, ensure_ascii=False).replace("<", "\\u003c"),
    )
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store", "Vary": "Accept, Cookie"}
    return HTMLResponse(text, status, headers)


@router.get("/assets/{name}")
def get_asset(request: Request, name: str, v: str = "") -> Response:
    """A file of the page; under its version it never changes."""
    if name not in assets():
        raise NotHereError("no such file")
    asset: Asset = assets()[name]
    is_lasting = v == asset.version or name.startswith(SHARED)
    lasting = "public, max-age=31536000, immutable" if is_lasting else "no-cache"
    headers = {"Cache-Control": lasting, "Vary": "Accept-Encoding"}
    if takes_gzip(request.headers.get("accept-encoding", "")):
        return Response(asset.compressed, media_type=asset.media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(asset.content, media_type=asset.media_type, headers=headers)


@router.get("/searches/{search}/queries")
async def get_queries(search: str, service: CurrentService) -> Response:
    """The index of a result's queries. Accounts take turns: the whole result is unpacked for it."""

    def reply() -> Response:
        entries = [asdict(entry) for entry in index(service.store.stored(search))]
        return JSONResponse(entries, headers={"Cache-Control": "private, max-age=3600"})

    return await service.readers.run(service.store.caller.account, reply)
