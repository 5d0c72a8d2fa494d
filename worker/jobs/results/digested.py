"""Results with their digests (shardwater/search/digests.py), made of what their JSON says."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from shardwater.errors import AlignError
from shardwater.search.digests import NoDigest, check_digest, digest_of, result_digest
from shardwater.search.merge import SearchResult
from worker.jobs.results.canonical_part import canonical_part

if TYPE_CHECKING:
    from worker.jobs.results.signing import Signer

RESULT_JSON = TypeAdapter(SearchResult)
"""Made once for all: it takes ten milliseconds of every start."""


def digested(result: SearchResult, signer: "Signer | None" = None) -> SearchResult:
    """The result with its digests, signed where there is a signer; a query's part that has a digest keeps it."""
    parts = tuple(one if one.digest else replace(one, digest=digest_of(canonical_part(one))) for one in result.results)
    digest = head_digest(result, [one.digest for one in parts])
    return replace(result, digest=digest, signature=signer.sign(digest) if signer else None, results=parts)


def head_digest(result: SearchResult, parts: list[str | None]) -> str:
    """The digest of a result whose queries' parts have these digests, whatever parts it holds."""
    return result_digest(plain_json(replace(result, results=())), parts)


def _distinct(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Of two members with one name, readers take either: no digest could be of both (RFC 7493)."""
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("an object has two members with one name")
    return found


class NoResult(AlignError):
    """Text that is not the JSON of a result."""


def parse_result(text: bytes) -> tuple[dict[str, Any], SearchResult]:
    """A result from its JSON, as that is and as what it says; whether it has its digest is for others to look.

    Raises NoResult.
    """
    try:
        plain = json.loads(text, object_pairs_hook=_distinct)
        return plain, RESULT_JSON.validate_python(plain)
    except (ValueError, RecursionError):
        raise NoResult("not the JSON of a Shardwater result") from None


def read_result(text: bytes) -> tuple[SearchResult, str]:
    """A result from its JSON, and why nobody can say whether it was changed, or nothing.

    Raises NoResult, and WrongDigest for one that was changed since it was made.
    """
    plain, result = parse_result(text)
    try:
        check_digest(plain)
    except NoDigest as error:
        return result, str(error)
    return result, ""


def plain_json(result: SearchResult) -> dict[str, Any]:
    """A result as its JSON says it."""
    plain: dict[str, Any] = json.loads(RESULT_JSON.dump_json(result))
    return plain
