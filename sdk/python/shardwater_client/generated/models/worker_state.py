from typing import Literal, cast

WorkerState = Literal["busy", "draining", "idle"]


def check_worker_state(value: str) -> WorkerState:
    """The value as it was sent; a newer server may know more of them."""
    return cast(WorkerState, value)
