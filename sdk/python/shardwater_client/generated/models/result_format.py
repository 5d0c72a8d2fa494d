from typing import Literal, cast

ResultFormat = Literal["blast-json", "csv", "fasta", "json", "ndjson", "pairwise", "parquet", "sam", "tab", "xml"]


def check_result_format(value: str) -> ResultFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(ResultFormat, value)
