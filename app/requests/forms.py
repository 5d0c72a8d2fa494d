"""An HTML form's fields, in both of its encodings, read so that no form holds up others.

The framework's parser of urlencoded bodies looks at each byte in Python, and on the event loop: a body of 16 MB would
stop the service for seconds.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, cast
from urllib.parse import unquote_to_bytes

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from python_multipart.multipart import parse_options_header
from starlette.datastructures import UploadFile
from starlette.types import Message, Receive

from app.problems import MalformedError
from app.requests.large_bodies import LARGE
from shardwater.formats.pssms.reading import is_pssm
from shardwater.sequences.encoding import decoded
from shardwater.sequences.fasta import read_fasta
from worker.jobs.limits import Limits

URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
ENCODINGS = (URLENCODED, MULTIPART)
MOST_FIELDS = 100
"""Maximum fields, and maximum files, of a form. A field that comes twice gets an error with its name."""
SLICE = 1 << 16
MAX_PREFILLED = 1 << 18
"""Bytes of a form that fills in the page's: anybody may send one, and its text comes back up to six times as long."""

FORM_REDIRECT: dict[int | str, dict[str, Any]] = {
    307: {
        "description": "For HTML forms in a browser only. The form comes from another site, or needs a correction. The "
        "browser sends it to the page's own form, which shows it filled in.",
        "headers": {"Location": {"description": "Address of the page's form.", "schema": {"type": "string"}}},
    }
}
"""OpenAPI `responses` entry of the redirect to the page's form."""

Items = list[tuple[str, str]]
Read = Callable[[bytes], str]

_NO_TEXT = "a form's fields are UTF-8 text"


def media_type_of(request: Request) -> str:
    """A body's type without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def limits_of(request: Request) -> Limits:
    """What one search may ask for."""
    return cast(Limits, request.app.state.service.settings.limits)


async def read_form(request: Request, body: bytes, *, to_show: bool = False) -> Items:
    """A form's names and values in their order, a file as its text; none of another body. Raises MalformedError.

    to_show: it fills in the page's form, which says itself what is wrong; else long texts are judged as a search's.
    """
    media_type = media_type_of(request)
    if media_type == URLENCODED:
        return await read_urlencoded(request, body, to_show=to_show)
    if media_type != MULTIPART:
        return []
    read = _reader(request, to_show)
    # Python knows a hundred character sets; some of them fail in ways of their own, or make text that nobody can write.
    _, parameters = parse_options_header(request.headers["content-type"])
    if parameters.get(b"charset", b"utf-8").lower() not in (b"utf-8", b"us-ascii"):
        raise MalformedError(_NO_TEXT)
    again = Request(request.scope, _replayed(body))
    try:
        most = limits_of(request).max_body_bytes
        async with again.form(max_files=MOST_FIELDS, max_fields=MOST_FIELDS, max_part_size=most) as form:
            return [(name, await _value(value, read)) for name, value in form.multi_items()]
    except UnicodeDecodeError:
        raise MalformedError(_NO_TEXT) from None


async def read_urlencoded(request: Request, body: bytes, *, to_show: bool = False) -> Items:
    """The same of an urlencoded body, whatever its type is said to be."""
    read = _reader(request, to_show)
    return _fields(body, read) if len(body) < LARGE else await run_in_threadpool(_fields, body, read)


def _reader(request: Request, to_show: bool) -> Read:
    return decoded if to_show else partial(text_of, limits=limits_of(request))


def _replayed(body: bytes) -> Receive:
    """A body that is here, in slices between which others have their turn."""
    begins = iter(range(0, max(1, len(body)), SLICE))

    async def receive() -> Message:
        await asyncio.sleep(0)
        begin = next(begins)
        end = begin + SLICE
        return {"type": "http.request", "body": body[begin:end], "more_body": end < len(body)}

    return receive


async def _value(value: UploadFile | str, read: Read) -> str:
    if isinstance(value, str):
        return value
    content = await value.read()
    return read(content) if len(content) < LARGE else await run_in_threadpool(read, content)


def text_of(value: bytes, limits: Limits) -> str:
    """Text of bytes; raises what reading FASTA does for a long one that is wrong.

    Only sequences and profiles are that long. As text, bytes that are none take twice their number, and three times in
    UTF-8, so that letters of sequences are looked at before.
    """
    if len(value) >= LARGE and not value.isascii() and not is_pssm(value[:LARGE].decode("utf-8", "replace")):
        limits.check_text(value)
        read_fasta(value)
    return decoded(value)


def _fields(body: bytes, read: Read) -> Items:
    """The fields of an urlencoded body."""
    if body.count(b"&") >= MOST_FIELDS:
        raise MalformedError(f"a form has at most {MOST_FIELDS} fields")
    pairs = (part.partition(b"=") for part in body.split(b"&") if part)
    return [(read(_unquoted(name)), read(_unquoted(value))) for name, _, value in pairs]


def _unquoted(value: bytes) -> bytes:
    """A slice at a time: the standard library makes an object of each escape."""
    value = value.replace(b"+", b" ")
    pieces, begin = [], 0
    while begin < len(value):
        end = begin + SLICE
        if end < len(value) and b"%" in value[end - 2 : end]:
            # An escape is not cut.
            end = value.rindex(b"%", begin, end)
        pieces.append(unquote_to_bytes(value[begin:end]))
        begin = end
    return b"".join(pieces)
