from typing import Literal, cast

Sensitivity = Literal["fast", "hyperfast", "sensitive"]


def check_sensitivity(value: str) -> Sensitivity:
    """The value as it was sent; a newer server may know more of them."""
    return cast(Sensitivity, value)
