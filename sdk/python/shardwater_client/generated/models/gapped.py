from typing import Literal, cast

Gapped = Literal["exact", "none"]


def check_gapped(value: str) -> Gapped:
    """The value as it was sent; a newer server may know more of them."""
    return cast(Gapped, value)
