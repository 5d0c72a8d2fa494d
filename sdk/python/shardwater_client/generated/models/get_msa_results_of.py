from typing import Literal, cast

GetMsaResultsOf = Literal["databases", "then"]


def check_get_msa_results_of(value: str) -> GetMsaResultsOf:
    """The value as it was sent; a newer server may know more of them."""
    return cast(GetMsaResultsOf, value)
