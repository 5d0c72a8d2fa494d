from typing import Literal, cast

ComparedStrands = Literal["both", "forward"]


def check_compared_strands(value: str) -> ComparedStrands:
    """The value as it was sent; a newer server may know more of them."""
    return cast(ComparedStrands, value)
