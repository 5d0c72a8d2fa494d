"""The warnings of a result in a header field, for formats whose text has no place for them."""

import json
from collections.abc import Iterator

from shardwater.search.merge import SearchResult
from worker.jobs.results.stored import StoredResult

HEADER = "X-Shardwater-Warnings"
MOST_BYTES = 4096
"""Of the field: proxies refuse longer heads than some thousand bytes."""
_KEY = b'"warnings":'
_decode = json.JSONDecoder().raw_decode


def warning_header(stored: StoredResult, part: SearchResult | None = None, query: int | None = None) -> dict[str, str]:
    """The field as a list of strings (RFC 9651), each with the query's number, code and sentence; none without any.

    part: what is written of the result, where that is not all, and the number of its query. What is too long for the
    field is counted. Letters that are not ASCII are left out.
    """
    shown, size, left = list[str](), 0, 0
    for warning in _of_part(part, query or 1) if part else _of_stored(stored):
        text = _string(warning)
        if left or size + len(text) > MOST_BYTES:
            left += 1
        else:
            shown.append(text)
            size += len(text) + 2
    if left:
        shown.append(_string(f"{left} more: format=json has all"))
    return {HEADER: ", ".join(shown)} if shown else {}


def _of_part(part: SearchResult, first: int) -> Iterator[str]:
    for number, one in enumerate(part.results, start=first):
        for warning in one.warnings:
            yield f"query {number}: {warning.code}: {warning.detail}"


def _of_stored(stored: StoredResult) -> Iterator[str]:
    """Those of all queries, read without their hits: a quote in a JSON string has a backslash before it."""
    for number, text in enumerate(stored.texts(), start=1):
        at = text.rfind(_KEY)
        found, _ = _decode(text[at + len(_KEY) :].decode()) if at >= 0 else ([], 0)
        for warning in found:
            yield f"query {number}: {warning['code']}: {warning['detail']}"


def _string(text: str) -> str:
    ascii_text = "".join(letter for letter in text if " " <= letter <= "~")
    return '"' + ascii_text.replace("\\", "\\\\").replace('"', '\\"') + '"'
