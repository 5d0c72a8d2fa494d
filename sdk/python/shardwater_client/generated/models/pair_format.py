from typing import Literal, cast

PairFormat = Literal["fasta", "json", "ndjson", "paf", "sam", "srspair", "tab"]


def check_pair_format(value: str) -> PairFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(PairFormat, value)
