from typing import Literal, cast

SequenceFormat = Literal["fasta", "json"]


def check_sequence_format(value: str) -> SequenceFormat:
    """The value as it was sent; a newer server may know more of them."""
    return cast(SequenceFormat, value)
