from typing import Literal, cast

MsaFormat = Literal["a3m", "fasta", "json", "m8", "stockholm"]


def check_msa_format(value: str) -> MsaFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(MsaFormat, value)
