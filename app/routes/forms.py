"""The page's forms, one for each kind of work: empty, or filled in by an address or by another site's form."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool

from app.page.assets import Script
from app.problems import UnsupportedMediaTypeError
from app.requests.forms import ENCODINGS, MAX_PREFILLED, Items, media_type_of, read_form
from app.requests.large_bodies import small_body
from app.routers import new_router
from app.routes.page import page
from app.service import CurrentService, Service

router = new_router(include_in_schema=False)


class Form(NamedTuple):
    """A form's address, the title of its page, and what draws it."""

    path: str
    title: str
    view: str
    script: Script

    def shown(self, request: Request, service: Service, filled: dict[str, Any] | None = None) -> Response:
        """Its page; the script fills it in, from the query string too. filled: as _filled has it."""
        return page(request, service, self.title, {"view": self.view} | (filled or {}), script=self.script)


FORMS = (
    Form("/", "Shardwater", "form", "page"),
    Form("/align", "Align pairs - Shardwater", "align", "align"),
    Form("/compare", "Compare genomes - Shardwater", "compare", "compare"),
    Form("/msas", "Build an MSA - Shardwater", "msa-form", "msa"),
)


def _get(form: Form) -> Callable[[Request, CurrentService], Response]:
    def get_form(request: Request, service: CurrentService) -> Response:
        return form.shown(request, service)

    return get_form


def _post(form: Form) -> Callable[[Request, CurrentService], Awaitable[Response]]:
    async def post_form(request: Request, service: CurrentService) -> Response:
        if media_type_of(request) not in ENCODINGS:
            raise UnsupportedMediaTypeError(f"the page's forms are posted as {' or '.join(ENCODINGS)}")
        # Sequences are too long for addresses, and have no place there. What is wrong with them, the form tells.
        items = await read_form(request, await small_body(request, MAX_PREFILLED), to_show=True)
        return await run_in_threadpool(form.shown, request, service, _filled(items))

    return post_form


def _filled(items: Items) -> dict[str, Any]:
    """What a form sent, without empty fields: the first value of each, and the names of those that have another one."""
    prefill, twice = dict[str, str](), dict[str, None]()
    for name, value in items:
        if value and prefill.setdefault(name, value) != value:
            twice[name] = None
    return {"prefill": prefill, "twice": list(twice)}


for _form in FORMS:
    router.add_api_route(_form.path, _get(_form), methods=["GET", "HEAD"])
    router.add_api_route(_form.path, _post(_form), methods=["POST"])
