"""The body of a search in each of its forms: JSON, raw FASTA, an HTML form's two encodings."""

from typing import Any

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from app.errors import InvalidParameterError, MalformedError, UnsupportedMediaTypeError
from worker.requests import SearchRequest

JSON = "application/json"
RAW = ("text/x-fasta", "text/plain")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
MEDIA_TYPES = (JSON, *RAW, *FORMS)
MOST_FIELDS = 100


async def read_search(request: Request) -> SearchRequest:
    """The search that a request asks for; raises pydantic's ValidationError or one of our own."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == JSON:
        return SearchRequest.model_validate_json(await request.body())
    if media_type in RAW:
        text = (await request.body()).decode("utf-8", "replace")
        return SearchRequest.model_validate({**_query_fields(request), "sequence": text})
    if media_type in FORMS:
        return SearchRequest.model_validate(await form_fields(request))
    raise UnsupportedMediaTypeError(f"a search is posted as one of {', '.join(MEDIA_TYPES)}, not {media_type!r}")


def _query_fields(request: Request) -> dict[str, Any]:
    """The options beside a raw body; the sequence itself must not stand in an address."""
    fields: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in fields or name == "sequence":
            raise InvalidParameterError(
                name, "it must not stand in the query string" if name == "sequence" else "given twice"
            )
        fields[name] = value
    return fields


async def form_fields(request: Request) -> dict[str, Any]:
    """A form's fields; an empty one counts as not filled in, a file as its text. Raises MalformedError."""
    limit = request.app.state.service.settings.max_body_bytes
    try:
        async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=limit) as form:
            return await _filled(form)
    except UnicodeDecodeError:
        raise MalformedError("a form's fields are UTF-8 text") from None


async def _filled(form: FormData) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in form.multi_items():
        text = (await value.read()).decode("utf-8", "replace") if isinstance(value, UploadFile) else value
        if not text:
            continue
        if name in fields:
            raise InvalidParameterError(name, "given twice")
        fields[name] = text
    return fields
