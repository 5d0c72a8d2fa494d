from typing import Literal, cast

PairAlphabet = Literal["dna", "protein"]


def check_pair_alphabet(value: str) -> PairAlphabet:
    """The value as it was sent; a newer server may know more of them."""
    return cast(PairAlphabet, value)
