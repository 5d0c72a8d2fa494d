from typing import Literal, cast

DatabaseAlphabet = Literal["dna", "protein"]


def check_database_alphabet(value: str) -> DatabaseAlphabet:
    """The value as it was sent; a newer server may know more of them."""
    return cast(DatabaseAlphabet, value)
