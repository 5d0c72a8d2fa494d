from typing import Literal, cast

GetMsaResultsFormatType0 = Literal["a3m", "fasta", "json", "m8", "stockholm"]


def check_get_msa_results_format_type_0(value: str) -> GetMsaResultsFormatType0:
    """The value as it was sent; a newer server may know more of them."""
    return cast(GetMsaResultsFormatType0, value)
