"""The one time of a service of several machines: what the queue's server says. Machines' own clocks may differ.

Whatever one process writes and another compares goes by it: as TIME in a script, by a key's own expiry, or asked here.
Files alone are dated by another clock: that of the machine whose folder they are in.
"""

import time
from pathlib import Path

from redis import Redis


def server_time(redis: Redis) -> float:
    """Unix time in seconds, to the microsecond."""
    return unix_time(redis.time())


def unix_time(told: tuple[int, int]) -> float:
    """The seconds and microseconds that TIME gives, as one number."""
    seconds, microseconds = told
    return round(seconds + microseconds / 1e6, 6)


def unchanged_s(path: Path) -> float:
    """For how many seconds a file or folder has not been changed, by this machine's clock. Raises FileNotFoundError."""
    # Redis's clock may be far from the one that dates files; this one is the same where the folder is this machine's.
    return time.time() - path.stat().st_mtime
