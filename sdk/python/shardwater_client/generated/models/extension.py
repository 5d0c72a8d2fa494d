from typing import Literal, cast

Extension = Literal["blocks", "letters"]


def check_extension(value: str) -> Extension:
    """The value as it was sent; a newer server may know more of them."""
    return cast(Extension, value)
