from typing import Literal, cast

AlignmentMode = Literal["global", "local", "semi-global"]


def check_alignment_mode(value: str) -> AlignmentMode:
    """The value as it was sent; a newer server may know more of them."""
    return cast(AlignmentMode, value)
