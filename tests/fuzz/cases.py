"""How many cases a fuzz test tries: a few in the tests, many in benchmarks/fuzz.py."""

import os

from hypothesis import HealthCheck, settings

CASES = int(os.environ.get("SHARDWATER_FUZZ_CASES", "0"))
"""For each test; 0 for as many as it says itself, the same in each run."""


def cases(usual: int) -> settings:
    """Settings for so many cases."""
    return settings(
        max_examples=CASES or usual,
        derandomize=not CASES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
