from typing import Literal, cast

ScoreRange = Literal["all", "chance"]


def check_score_range(value: str) -> ScoreRange:
    """The value as it was sent; a newer server may know more of them."""
    return cast(ScoreRange, value)
