"""Whether a result is as it was made: its digest (docs/api.md, The digest), and who has signed it.

The digest is the SHA-256 of RFC 8785's canonical JSON, which is of values: indenting a result does not change it.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

from shardwater_client.errors import ChangedResultError

EXACT = 2**53
_LEFT_OUT = ("search", "digest", "signature", "next_page_token")


def check_result(result: str | bytes | Mapping[str, Any], public_key: str | bytes | None = None) -> str | None:
    """Check a result that was saved as JSON; its digest, or None where there is none to check.

    None is for results of a server before Shardwater had digests, and for pages of hits. With a public key as PEM its
    owner must have signed the result: that needs the library cryptography (the extra `signing`). Raises
    ChangedResultError, also for what is no result.
    """
    try:
        plain: Any = json.loads(result, object_pairs_hook=_distinct) if isinstance(result, str | bytes) else result
        digest = _checked(plain)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ChangedResultError("this is not the JSON of a result") from None
    if public_key is not None:
        _check_signature(plain, digest, public_key)
    return digest


def _distinct(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Of two members with one name, readers take either: no digest could be of both (RFC 7493)."""
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("an object has two members with one name")
    return found


def _checked(result: Mapping[str, Any]) -> str | None:
    parts = [part.get("digest") for part in result["results"]]
    digest = result.get("digest")
    digests = [digest, *parts]
    if "next_page_token" in result or all(each is None for each in digests):
        return None
    if None in digests:
        raise ChangedResultError("the result was changed since it was made: a digest is missing")
    for number, part in enumerate(result["results"], start=1):
        if part["digest"] != _digest(_without(part, "digest")):
            raise ChangedResultError(f"the result was changed since it was made: in query {number}")
    whole = _without(result, *_LEFT_OUT)
    whole["software"] = _without(result["software"], "commit")
    whole["certificate"] = _without(result["certificate"], "shards")
    if digest != _digest({**whole, "results": parts}):
        raise ChangedResultError("the result was changed since it was made: not in a query")
    return str(digest)


def _check_signature(result: Mapping[str, Any], digest: str | None, public_key: str | bytes) -> None:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  an extra
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import load_pem_public_key  # noqa: PLC0415

    key = load_pem_public_key(public_key.encode() if isinstance(public_key, str) else public_key)
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("the public key is not of Ed25519")
    if digest is None or not result.get("signature"):
        raise ChangedResultError("the result is not signed")
    try:
        key.verify(base64.b64decode(result["signature"]["value"]), f"Shardwater result {digest}".encode())
    except (InvalidSignature, ValueError, KeyError, TypeError):
        raise ChangedResultError("the result is not signed with this key") from None


def _without(members: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name not in names}


def _digest(value: Any) -> str:
    text = _WRITERS[type(value)](value)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _number(value: float) -> str:
    """A number as JavaScript writes it (ECMA-262, Number::toString)."""
    if -EXACT <= value <= EXACT and value == (whole := int(value)):
        return str(whole)
    text = repr(float(value))
    if "e" not in text and not text.endswith(".0"):
        return text
    sign, text = ("-", text[1:]) if value < 0 else ("", text)
    mantissa, _, power = text.partition("e")
    before, _, after = mantissa.partition(".")
    digits, point = (before + after).rstrip("0"), len(before) + int(power or 0)
    if len(digits) <= point <= 21:
        return f"{sign}{digits:0<{point}}"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _array(values: Sequence[Any]) -> str:
    return f"[{','.join([_WRITERS[type(value)](value) for value in values])}]"


def _object(members: Mapping[str, Any]) -> str:
    ordered = sorted(members.items(), key=lambda member: member[0].encode("utf-16-be", "surrogatepass"))
    return f"{{{','.join([f'{encode_basestring(name)}:{_WRITERS[type(value)](value)}' for name, value in ordered])}}}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    str: encode_basestring,
    int: _number,
    float: _number,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _: "null",
    list: _array,
    dict: _object,
}
