from typing import Literal, cast

SearchState = Literal["cancelled", "failed", "queued", "running", "succeeded"]


def check_search_state(value: str) -> SearchState:
    """The value as it was sent; a newer server may know more of them."""
    return cast(SearchState, value)
