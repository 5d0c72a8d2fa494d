"""The digest of a result: whoever has the result can see whether anybody has changed it since it was made.

Each query's part has a digest of its own, and that of the whole is made of them: a part is digested once, whichever
queries it is given out with. What may differ where hits may not has no part in it: the search's id, how the database
was cut and who computed, and the commit. docs/api.md has the rules, for whoever checks a result in another language.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from shardwater.errors import AlignError
from shardwater.search.canonical_json import canonical

ALGORITHM = "sha256"
LEFT_OUT = ("search", "digest", "signature", "next_page_token")
"""Members of a result that its digest does not cover; of `software` it is `commit`, of `certificate` `shards`."""


class WrongDigest(AlignError):
    """A result that is not as it was made."""


class NoDigest(AlignError):
    """A result that says nothing of how it was made: of an earlier version, or a page of one."""


def query_digest(part: Mapping[str, Any]) -> str:
    """The digest of an entry of `results`, as plain JSON."""
    return digest_of(canonical(covered_part(part)))


def result_digest(result: Mapping[str, Any], parts: Sequence[str | None]) -> str:
    """The digest of a result, as plain JSON, whose queries' parts have these digests."""
    return digest_of(canonical({**covered_head(result), "results": list(parts)}))


def covered_part(part: Mapping[str, Any]) -> dict[str, Any]:
    """What of an entry of `results` its digest covers."""
    return _without(part, "digest")


def covered_head(result: Mapping[str, Any]) -> dict[str, Any]:
    """What of a result its digest covers, but for its queries' parts."""
    return {
        **_without(result, *LEFT_OUT, "results"),
        "software": _without(result["software"], "commit"),
        "certificate": _without(result["certificate"], "shards"),
    }


def check_digest(result: Mapping[str, Any]) -> None:
    """Raise WrongDigest for a result, as plain JSON, that was changed since it was made, NoDigest where none tells."""
    try:
        if "next_page_token" in result:
            raise NoDigest("it is a page of a result, and its digest that of the whole")
        parts = [part.get("digest") for part in result["results"]]
        digests = [result.get("digest"), *parts]
        if not any(digest is not None for digest in digests):
            raise NoDigest("it has no digest: an earlier version of Shardwater has made it")
        if None in digests:
            raise WrongDigest("a digest is missing: it was changed after it was made")
        for number, part in enumerate(result["results"], start=1):
            if part["digest"] != query_digest(part):
                raise WrongDigest(f"the digest of query {number} does not match: it was changed after it was made")
        if result["digest"] != result_digest(result, parts):
            raise WrongDigest("the result's digest does not match: it was changed after it was made")
    except (KeyError, TypeError, AttributeError):
        raise WrongDigest("members of a result are missing") from None


def _without(members: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in names}


def digest_of(text: bytes) -> str:
    """The digest of what has this canonical form."""
    return f"{ALGORITHM}:{hashlib.new(ALGORITHM, text).hexdigest()}"
