"""What a client says of how a request is to be treated: Prefer (RFC 7240) and Idempotency-Key."""

import re
from dataclasses import dataclass
from typing import Annotated, Self

from fastapi import Header

from app.problems import InvalidParameterError

LONGEST_WAIT_S = 60
LONGEST_KEY = 255

PreferHeader = Annotated[
    str | None, Header(description="`wait=N`: answer with the result if it comes in N s; else at once.")
]
FreshHeader = Annotated[str | None, Header(description="`no-cache`: run anew what was run before.")]
KeyHeader = Annotated[
    str | None,
    Header(description="A quoted string made up for this request: sent again, it is the same job. Kept for 24 h."),
]

_BEGIN = r"(?:^|[,;\s])"
_WAIT = re.compile(_BEGIN + r"wait\s*=\s*(\d{1,9})\b", re.IGNORECASE)
_ASYNC = re.compile(_BEGIN + r"respond-async\b(?!\s*=)", re.IGNORECASE)
_RETURN = re.compile(_BEGIN + r"return\s*=\s*(minimal|representation)\b", re.IGNORECASE)
# A string of RFC 9651: printable ASCII in quotes; a quote or a backslash of its own has a backslash before it.
_STRING = re.compile(r'"((?:[ !#-\[\]-~]|\\["\\])*)"')


@dataclass(frozen=True, slots=True)
class Preferences:
    """Of a Prefer header: seconds to wait for the result, to be answered at once, to get headers alone."""

    wait: int | None = None
    at_once: bool = False
    returned: str | None = None

    @classmethod
    def of(cls, header: str | None) -> Self:
        """Those that we know; a wait is at most LONGEST_WAIT_S."""
        header = header or ""
        wait, returned = _WAIT.search(header), _RETURN.search(header)
        return cls(
            wait=min(LONGEST_WAIT_S, int(wait[1])) if wait else None,
            at_once=_ASYNC.search(header) is not None,
            returned=returned[1].lower() if returned else None,
        )

    @property
    def minimal(self) -> bool:
        """Whether the reply is to have no body."""
        return self.returned == "minimal"

    def applied(self, *, ended: bool) -> str:
        """What Preference-Applied says of a reply; nothing where no preference was known."""
        told = []
        if self.wait is not None:
            told.append(f"wait={self.wait}")
        if self.at_once and not ended:
            told.append("respond-async")
        if self.returned:
            told.append(f"return={self.returned}")
        return ", ".join(told)


def runs_anew(header: str | None) -> bool:
    """Whether a Cache-Control header wants no earlier job's answer."""
    return "no-cache" in (header or "").lower()


def read_key(header: str | None) -> str | None:
    """The key of an Idempotency-Key header, a quoted string; raises InvalidParameterError."""
    if header is None:
        return None
    found = _STRING.fullmatch(header.strip())
    key = re.sub(r"\\(.)", r"\1", found[1]) if found else ""
    if not 1 <= len(key) <= LONGEST_KEY:
        raise InvalidParameterError(
            "Idempotency-Key", f"a string of 1 to {LONGEST_KEY} printable ASCII letters in double quotes is needed"
        )
    return key
