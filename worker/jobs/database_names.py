"""The databases that a search names: one, or several at once."""

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

MOST_DATABASES = 10
_Name = Annotated[str, StringConstraints(min_length=1, max_length=64)]


def _split(value: object) -> object:
    """A form and a query string have one text for all, as BLAST+'s -db has."""
    return value.split() if isinstance(value, str) else value


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    if twice := next((name for place, name in enumerate(names) if name in names[:place]), None):
        raise ValueError(f"{twice} is named twice: a sequence is searched once")
    return names


DatabaseNames = Annotated[
    tuple[_Name, ...],
    Field(min_length=1, max_length=MOST_DATABASES),
    BeforeValidator(_split),
    AfterValidator(_distinct),
]

MoreNames = Annotated[
    tuple[_Name, ...], Field(max_length=MOST_DATABASES), BeforeValidator(_split), AfterValidator(_distinct)
]
"""The same, where none need be named."""


def check_named(database: str | None, databases: tuple[str, ...] | None) -> None:
    """Raise ValueError unless databases are named in one of both ways."""
    if (database is None) == (databases is None):
        raise ValueError("name one database here, or several in `databases`")
