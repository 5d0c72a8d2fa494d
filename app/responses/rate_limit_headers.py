"""Quotas as headers tell them: RateLimit-Policy and RateLimit (draft 11 of ietf-httpapi-ratelimit-headers)."""

from collections.abc import Iterable

from worker.jobs.quotas import CELLS_AN_HOUR, WINDOW_S
from worker.jobs.states import Standing

MEGA = 10**6
"""Cells are told in millions: an integer of a header has 15 digits at most, and a GPU does more cells in an hour."""


def quota_headers(standings: Iterable[Standing]) -> dict[str, str]:
    """The headers of a reply to an account that stands so; none where there are no quotas."""
    policies, states = [], []
    for standing in standings:
        name, unit = ("megacells", MEGA) if standing.name == CELLS_AN_HOUR else (standing.name, 1)
        policies.append(f'"{name}";q={standing.limit // unit};w={WINDOW_S}')
        reset = "" if standing.reset_s is None else f";t={standing.reset_s}"
        states.append(f'"{name}";r={standing.left // unit}{reset}')
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(states)} if policies else {}
