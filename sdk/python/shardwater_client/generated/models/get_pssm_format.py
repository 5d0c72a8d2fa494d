from typing import Literal, cast

GetPssmFormat = Literal["ascii", "asn1", "json"]


def check_get_pssm_format(value: str) -> GetPssmFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(GetPssmFormat, value)
