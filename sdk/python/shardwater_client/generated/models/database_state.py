from typing import Literal, cast

DatabaseState = Literal["degraded", "loading", "ready", "retired"]


def check_database_state(value: str) -> DatabaseState:
    """The value as it was sent; a newer server may know more of them."""
    return cast(DatabaseState, value)
