"""The names of what an operator may choose for engines on GPUs; nobody else needs to know them."""

from typing import Literal, get_args

ScheduleName = Literal["strips", "simt", "striped"]
SCHEDULES: tuple[ScheduleName, ...] = get_args(ScheduleName)
"""How a GPU scores a shard (docs/kernels.md), the fastest first. All find the same."""
