from typing import Literal, cast

Pairing = Literal["all", "zip"]


def check_pairing(value: str) -> Pairing:
    """The value as it was sent; a newer server may know more of them."""
    return cast(Pairing, value)
