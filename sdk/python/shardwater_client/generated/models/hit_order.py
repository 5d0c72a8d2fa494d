from typing import Literal, cast

HitOrder = Literal["evalue", "score"]


def check_hit_order(value: str) -> HitOrder:
    """The value as it was sent; a newer server may know more of them."""
    return cast(HitOrder, value)
