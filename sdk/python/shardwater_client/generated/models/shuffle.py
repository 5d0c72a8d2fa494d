from typing import Literal, cast

Shuffle = Literal["uniform", "windows"]


def check_shuffle(value: str) -> Shuffle:
    """The value as it was sent; a newer server may know more of them."""
    return cast(Shuffle, value)
