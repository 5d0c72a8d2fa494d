from typing import Literal, cast

Composition = Literal["adjusted", "none"]


def check_composition(value: str) -> Composition:
    """The value as it was sent; a newer server may know more of them."""
    return cast(Composition, value)
