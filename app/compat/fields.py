"""What a request says, whichever way it says it: in its query string, in a form's body, or in both."""

import math
import re
from collections.abc import Iterable, Mapping

from fastapi import Request

from app.problems import SENT_TWICE, InvalidParameterError
from app.requests.forms import read_form
from worker.jobs.decimals import is_decimal, is_whole

_BETWEEN_NAMES = re.compile(r"[\s,;]+")


class Fields:
    """Values by name, in either case; one that is blank counts as not given."""

    def __init__(self, items: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in items:
            if value.strip():
                self._values.setdefault(name.lower(), []).append(value)

    def all(self, name: str) -> list[str]:
        """All values of a name."""
        return self._values.get(name.lower(), [])

    def get(self, name: str) -> str | None:
        """The only value of a name, None without one; raises InvalidParameterError where there are several."""
        values = set(self.all(name))
        if len(values) > 1:
            raise InvalidParameterError(name, SENT_TWICE)
        return values.pop() if values else None

    def need(self, name: str) -> str:
        """The value of a name that must be there."""
        value = self.get(name)
        if value is None:
            raise InvalidParameterError(name, "it is missing")
        return value

    def databases(self, name: str) -> list[str]:
        """The databases that a field names, once or several times, by blanks, commas or semicolons between them.

        Raises InvalidParameterError where there is none.
        """
        names = [name for value in self.all(name) for name in _BETWEEN_NAMES.split(value.strip(" \t\r\n,;"))]
        if not any(names):
            raise InvalidParameterError(name, "it is missing")
        return names

    def integer(self, name: str) -> int | None:
        """A whole number of at most nine digits."""
        value = self.get(name)
        if value is None:
            return None
        digits = value.strip()
        if not is_whole(digits) or len(digits) >= 10:
            raise InvalidParameterError(name, "a whole number is needed")
        return int(digits)

    def number(self, name: str) -> float | None:
        """A number above 0."""
        value = self.get(name)
        if value is None:
            return None
        number = float(value) if is_decimal(value.strip()) else math.nan
        if not 0 < number < math.inf:
            raise InvalidParameterError(name, "a number above 0 is needed")
        return number

    def refuse(self, unsupported: Mapping[str, Iterable[str]]) -> None:
        """Raise InvalidParameterError for the first of these fields whose value is none of those that ask for nothing.

        What we do not do must not be passed over where that would give other hits than were asked for.
        """
        for name, harmless in unsupported.items():
            value = self.get(name)
            if value is not None and value.strip().lower() not in harmless:
                raise InvalidParameterError(name, "this is not supported here: leave it out")


async def read_fields(request: Request, body: bytes) -> Fields:
    """The fields of the query string and of the body; of a body that is no form there are none."""
    return Fields([*request.query_params.multi_items(), *await read_form(request, body)])
