from typing import Literal, cast

AlignmentStrands = Literal["both", "forward"]


def check_alignment_strands(value: str) -> AlignmentStrands:
    """The value as it was sent; a newer server may know more of them."""
    return cast(AlignmentStrands, value)
