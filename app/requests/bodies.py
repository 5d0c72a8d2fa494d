"""The body of a search in each of its forms: JSON, raw FASTA, an HTML form's two encodings."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from app.problems import SENT_TWICE, InvalidParameterError, MalformedError, UnsupportedMediaTypeError
from app.requests.forms import ENCODINGS, MOST_FIELDS, limits_of, media_type_of, read_form, text_of
from app.requests.large_bodies import LARGE
from app.requests.query_parameters import refuse_others
from worker.jobs.limits import Limits
from worker.jobs.requests import SearchRequest
from worker.jobs.taxids import MOST_TAXIDS

JSON = "application/json"
RAW = ("text/x-fasta", "text/plain")
MEDIA_TYPES = (JSON, *RAW, *ENCODINGS)
MOST_BETWEEN = 10_000 + 2 * MOST_TAXIDS * 11
"""Bytes of a search's JSON that are neither strings nor blanks: those of two lists of taxids, and some more."""

# Also a string that has no end: else each quote in it would be tried as a beginning.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_TEXTS = ("sequence", "pssm")
_JSON_BLANKS = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class FlatBody:
    """JSON of a few fields: what is asked for in it, what to do where there is more than it takes, and its bounds.

    most_strings, most_between: strings, and bytes that are neither strings nor blanks.
    """

    asked: str
    more: str
    most_strings: int
    most_between: int

    def check(self, request: Request, body: bytes) -> None:
        """Raise InvalidParameterError, UnsupportedMediaTypeError or MalformedError where a body is none of these."""
        refuse_others(request, (), "a job's fields stand in the body: the query string has none beside it")
        if media_type_of(request) != JSON:
            raise UnsupportedMediaTypeError(f"{self.asked} are posted as {JSON}; {self.more}")
        if not is_flat(body, self.most_strings, self.most_between):
            raise MalformedError(f"{self.asked} are asked for by one JSON object of a few fields")


async def read_search(request: Request, body: bytes) -> SearchRequest:
    """The search that a request asks for with its body; raises pydantic's ValidationError or one of our own."""
    media_type = media_type_of(request)
    if media_type in (JSON, *ENCODINGS):
        refuse_others(request, (), "a search's fields stand in the body: the query string has none beside it")
    if media_type == JSON:
        return await _beside(_of_json, body)
    if media_type in RAW:
        fields, limits = _query_fields(request), limits_of(request)
        return await _beside(lambda body: _of_text(fields, body, limits), body)
    if media_type in ENCODINGS:
        return SearchRequest.model_validate(await _form_fields(request, body))
    sent = f"not {media_type!r}" if media_type else "and the request has no Content-Type"
    raise UnsupportedMediaTypeError(f"a search is posted as one of {', '.join(MEDIA_TYPES)}, {sent}")


async def _beside(read: Callable[[bytes], SearchRequest], body: bytes) -> SearchRequest:
    """A long body is read beside the event loop."""
    return read(body) if len(body) < LARGE else await run_in_threadpool(read, body)


def _of_json(body: bytes) -> SearchRequest:
    if not is_flat(body, 2 * MOST_FIELDS, MOST_BETWEEN):
        raise MalformedError(f"a search is one JSON object of at most {MOST_FIELDS} fields")
    return SearchRequest.model_validate_json(body)


def is_flat(body: bytes, most_strings: int, most_between: int) -> bool:
    """Whether JSON has at most so many strings, and so many bytes besides them and blanks.

    What we take is an object of a few fields. A body of millions of fields or lists would take gigabytes before anybody
    saw that it is none.
    """
    between, after = 0, 0
    for strings, string in enumerate(_STRING.finditer(body), start=1):
        between += len(body[after : string.start()].translate(None, _JSON_BLANKS))
        after = string.end()
        if strings > most_strings or between > most_between:
            return False
    return between + len(body[after:].translate(None, _JSON_BLANKS)) <= most_between


def _of_text(fields: dict[str, Any], body: bytes, limits: Limits) -> SearchRequest:
    return SearchRequest.model_validate({**fields, "sequence": text_of(body, limits)})


def _query_fields(request: Request) -> dict[str, Any]:
    """The options beside a raw body; what is searched for must not stand in an address."""
    fields: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in _TEXTS:
            raise InvalidParameterError(name, "it must not stand in the query string")
        if name in fields:
            raise InvalidParameterError(name, SENT_TWICE)
        fields[name] = value
    return fields


async def _form_fields(request: Request, body: bytes) -> dict[str, Any]:
    """A form's fields; an empty one counts as not filled in, a file as its text. Raises MalformedError."""
    fields: dict[str, Any] = {}
    for name, value in await read_form(request, body):
        if not value:
            continue
        if name in fields:
            raise InvalidParameterError(name, SENT_TWICE)
        fields[name] = value
    return fields
