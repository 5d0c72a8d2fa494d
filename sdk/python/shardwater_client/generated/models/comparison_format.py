from typing import Literal, cast

ComparisonFormat = Literal["bed", "chain", "csv", "json", "maf", "ndjson", "paf", "psl", "rows", "tab"]


def check_comparison_format(value: str) -> ComparisonFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(ComparisonFormat, value)
