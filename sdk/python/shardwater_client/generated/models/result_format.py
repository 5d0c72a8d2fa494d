from typing import Literal, cast

ResultFormat = Literal[
    "0",
    "10",
    "15",
    "16",
    "17",
    "5",
    "6",
    "7",
    "a3m",
    "aligned-fasta",
    "blast-json",
    "csv",
    "fasta",
    "json",
    "ndjson",
    "pairwise",
    "parquet",
    "sam",
    "stockholm",
    "tab",
    "xml",
]


def check_result_format(value: str) -> ResultFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(ResultFormat, value)
