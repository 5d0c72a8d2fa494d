from typing import Literal, cast

Strand = Literal["+", "-"]


def check_strand(value: str) -> Strand:
    """The value as it was sent; a newer server may know more of them."""
    return cast(Strand, value)
