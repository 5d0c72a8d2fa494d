from typing import Literal, cast

Mask = Literal["none", "seg", "soft", "tantan"]


def check_mask(value: str) -> Mask:
    """The value as it was sent; a newer server may know more of them."""
    return cast(Mask, value)
