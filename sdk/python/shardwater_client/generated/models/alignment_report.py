from typing import Literal, cast

AlignmentReport = Literal["alignment", "ends", "score"]


def check_alignment_report(value: str) -> AlignmentReport:
    """The value as it was sent; a newer server may know more of them."""
    return cast(AlignmentReport, value)
