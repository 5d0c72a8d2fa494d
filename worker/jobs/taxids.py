"""Taxids as a search may name them: a list in JSON, or text with commas or blanks between."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from shardwater.database.header_taxids import LARGEST
from worker.jobs.decimals import is_whole

MOST_TAXIDS = 1000


def read_taxids(value: object) -> object:
    """The different ones, ascending: equal choices are equal searches. Raises ValueError for what is no taxid."""
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list | tuple):
        return value
    if len(value) > MOST_TAXIDS:
        raise ValueError(f"{len(value):,} taxids are named; at most {MOST_TAXIDS:,} may be")
    return sorted({_taxid(each) for each in value})


def _taxid(value: object) -> int:
    number = int(value) if isinstance(value, str) and len(value) <= len(str(LARGEST)) and is_whole(value) else value
    if type(number) is not int or not 1 <= number <= LARGEST:
        raise ValueError(f"a taxid is a whole number from 1 to {LARGEST}")
    return number


Taxids = Annotated[
    tuple[Annotated[int, Field(ge=1, le=LARGEST)], ...], BeforeValidator(read_taxids), Field(max_length=MOST_TAXIDS)
]
