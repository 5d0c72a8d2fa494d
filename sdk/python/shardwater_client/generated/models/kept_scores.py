from typing import Literal, cast

KeptScores = Literal["all", "none"]


def check_kept_scores(value: str) -> KeptScores:
    """The value as it was sent; a newer server may know more of them."""
    return cast(KeptScores, value)
