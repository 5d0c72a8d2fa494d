"""An HTML form's fields, in both of its encodings, read so that no form holds up others.

The framework's parser of urlencoded bodies looks at each byte in Python, and on the event loop: a body of 16 MB would
stop the service for seconds.
"""

from urllib.parse import unquote_to_bytes

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from python_multipart.multipart import parse_options_header
from starlette.datastructures import UploadFile

from app.errors import MalformedError

URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
MOST_FIELDS = 100
LARGE = 1 << 16
"""From so many bytes on a body takes long enough to be read beside the event loop."""
SLICE = 1 << 16

Items = list[tuple[str, str]]

_NO_TEXT = "a form's fields are UTF-8 text"


def media_type_of(request: Request) -> str:
    """A body's type without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def read_form(request: Request) -> Items:
    """A form's names and values in their order, a file as its text; none of another body. Raises MalformedError."""
    media_type = media_type_of(request)
    if media_type == URLENCODED:
        body = await request.body()
        return _fields(body) if len(body) < LARGE else await run_in_threadpool(_fields, body)
    if media_type != MULTIPART:
        return []
    # Python knows a hundred character sets; some of them fail in ways of their own, or make text that nobody can write.
    _, parameters = parse_options_header(request.headers["content-type"])
    if parameters.get(b"charset", b"utf-8").lower() not in (b"utf-8", b"us-ascii"):
        raise MalformedError(_NO_TEXT)
    limit = request.app.state.service.settings.max_body_bytes
    try:
        async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=limit) as form:
            return [(name, await _text(value)) for name, value in form.multi_items()]
    except UnicodeDecodeError:
        raise MalformedError(_NO_TEXT) from None


async def _text(value: UploadFile | str) -> str:
    return (await value.read()).decode("utf-8", "replace") if isinstance(value, UploadFile) else value


def _fields(body: bytes) -> Items:
    """The fields of an urlencoded body."""
    if body.count(b"&") >= MOST_FIELDS:
        raise MalformedError(f"a form has at most {MOST_FIELDS} fields")
    pairs = (part.partition(b"=") for part in body.split(b"&") if part)
    return [(_decoded(name), _decoded(value)) for name, _, value in pairs]


def _decoded(value: bytes) -> str:
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
    return b"".join(pieces).decode("utf-8", "replace")
