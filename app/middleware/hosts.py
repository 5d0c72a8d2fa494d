"""Under which names a service that asks for no key answers.

A page of another site can have its own name lead to our address (DNS rebinding). It is then of our origin, and its
browser lets it read every answer. That name stands in Host, where an address or a name of ours would be.
"""

import re
from ipaddress import ip_address

from starlette.datastructures import Headers

from worker.settings import Settings

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{0,5})?", re.ASCII | re.IGNORECASE)


class Hosts:
    """The names that are ours: localhost, that of the socket, and those that are set."""

    def __init__(self, settings: Settings) -> None:
        self._names = {"localhost", _plain(settings.host), *map(_plain, settings.hosts)}

    def admit(self, headers: Headers) -> bool:
        """Whether a request names one of ours; one without Host is no browser's."""
        named = headers.get("host")
        return named is None or self._is_ours(named)

    def _is_ours(self, named: str) -> bool:
        found = _HOST.fullmatch(named)
        if found is None:
            return False
        address, name = found.groups()
        return _is_address(address) if address else _plain(name) in self._names or _is_address(name)


def _plain(name: str) -> str:
    """A name as names are compared: in lower case, without the dot of the root."""
    return name.lower().removesuffix(".")


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
