"""Numbers with their nouns, for sentences."""


def plural(number: int, noun: str, nouns: str = "") -> str:
    """A number with its noun: the plural has an s, or is another word."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"
