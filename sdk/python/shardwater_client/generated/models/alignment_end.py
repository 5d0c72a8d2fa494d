from typing import Literal, cast

AlignmentEnd = Literal["query_begin", "query_end", "subject_begin", "subject_end"]


def check_alignment_end(value: str) -> AlignmentEnd:
    """The value as it was sent; a newer server may know more of them."""
    return cast(AlignmentEnd, value)
