from typing import Literal, cast

ListMsasStateType0 = Literal["cancelled", "failed", "queued", "running", "succeeded"]


def check_list_msas_state_type_0(value: str) -> ListMsasStateType0:
    """The value as it was sent; a newer server may know more of them."""
    return cast(ListMsasStateType0, value)
