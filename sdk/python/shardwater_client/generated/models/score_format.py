from typing import Literal, cast

ScoreFormat = Literal["parquet", "raw", "tab"]


def check_score_format(value: str) -> ScoreFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(ScoreFormat, value)
