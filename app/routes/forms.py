"""The page's forms, one for each kind of work: empty, or filled in by an address or by another site's form."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool

from app.page.assets import Script
from app.problems import UnsupportedMediaTypeError
from app.requests.bodies import form_fields
from app.requests.forms import ENCODINGS, MAX_PREFILLED, media_type_of
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

    def shown(self, request: Request, service: Service, prefill: dict[str, Any] | None = None) -> Response:
        """Its page; the script fills it in, from the query string too."""
        view = {"view": self.view} | ({} if prefill is None else {"prefill": prefill})
        return page(request, service, self.title, view, script=self.script)


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
        prefill = await form_fields(request, await small_body(request, MAX_PREFILLED), to_show=True)
        return await run_in_threadpool(form.shown, request, service, prefill)

    return post_form


for _form in FORMS:
    router.add_api_route(_form.path, _get(_form), methods=["GET", "HEAD"])
    router.add_api_route(_form.path, _post(_form), methods=["POST"])
