from typing import Literal, cast

ChainPairing = Literal["complete", "greedy", "none"]


def check_chain_pairing(value: str) -> ChainPairing:
    """The value as it was sent; a newer server may know more of them."""
    return cast(ChainPairing, value)
