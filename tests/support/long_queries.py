"""Queries that are searched for long enough to be waited for."""


def long_query(letter: str) -> str:
    """A query that takes the demo's workers seconds; each letter makes another search."""
    return f">long_{letter}\n" + (f"MKVL{letter}AGWDERTYHIPSNQCF" * 2300)
