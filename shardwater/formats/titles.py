"""Names of subjects as text: on one line, and apart where one subject has the names of several records."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shardwater.search.merge import Hit, Query

SEPARATOR = "\x01"
"""What NCBI puts between the headers of records with the same sequence."""


@dataclass(frozen=True, slots=True)
class Name:
    """A record's first word and the rest of its header."""

    id: str
    title: str

    def __str__(self) -> str:
        return joined(self.id, self.title)


def joined(*parts: str) -> str:
    """The parts that are not empty, with blanks between them."""
    return " ".join(part for part in parts if part)


def one_line(text: str) -> str:
    """Text without tabs, line ends and control characters, which would break a table and which XML does not allow."""
    return text if text.isprintable() else "".join(letter if letter.isprintable() else " " for letter in text)


def query_name(query: "Query") -> str:
    """A query's header on one line."""
    return one_line(joined(query.id, query.title))


def names_of(hit: "Hit") -> list[Name]:
    """The records that a subject stands for, the first one first."""
    headers = joined(hit.accession, hit.title).split(SEPARATOR)
    words = [one_line(header).split(None, 1) or [""] for header in headers]
    return [Name(first, rest[0].rstrip() if rest else "") for first, *rest in words]
