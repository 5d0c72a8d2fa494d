from typing import Literal, cast

MsaDatabases = Literal["databases", "then"]


def check_msa_databases(value: str) -> MsaDatabases:
    """The value as it was sent; a newer server may know more of them."""
    return cast(MsaDatabases, value)
