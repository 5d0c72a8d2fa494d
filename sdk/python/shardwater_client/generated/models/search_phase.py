from typing import Literal, cast

SearchPhase = Literal["aligning", "merging", "queued", "scoring"]


def check_search_phase(value: str) -> SearchPhase:
    """The value as it was sent; a newer server may know more of them."""
    return cast(SearchPhase, value)
