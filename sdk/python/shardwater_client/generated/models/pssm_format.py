from typing import Literal, cast

PssmFormat = Literal["ascii", "asn1", "json"]


def check_pssm_format(value: str) -> PssmFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(PssmFormat, value)
