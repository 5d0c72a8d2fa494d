from typing import Literal, cast

StatisticsMethod = Literal["fitted", "karlin-altschul", "none", "simulated", "table"]


def check_statistics_method(value: str) -> StatisticsMethod:
    """The value as it was sent; a newer server may know more of them."""
    return cast(StatisticsMethod, value)
