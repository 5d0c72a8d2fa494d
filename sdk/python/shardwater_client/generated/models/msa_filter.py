from typing import Literal, cast

MsaFilter = Literal["diverse", "none"]


def check_msa_filter(value: str) -> MsaFilter:
    """The value as it was sent; a newer server may know more of them."""
    return cast(MsaFilter, value)
