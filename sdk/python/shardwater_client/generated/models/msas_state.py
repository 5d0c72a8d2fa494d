from typing import Literal, cast

MsasState = Literal["cancelled", "failed", "queued", "running", "succeeded"]


def check_msas_state(value: str) -> MsasState:
    """The value as it was sent; a newer server may know more of them."""
    return cast(MsasState, value)
