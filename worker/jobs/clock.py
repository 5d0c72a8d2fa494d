"""The one time of a service of several machines: what the queue's server says. Machines' own clocks may differ.

Whatever one process writes and another compares goes by it: as TIME in a script, by a key's own expiry, or asked here.
"""

from redis import Redis


def server_time(redis: Redis) -> float:
    """Unix time in seconds, to the microsecond."""
    return unix_time(redis.time())


def unix_time(told: tuple[int, int]) -> float:
    """The seconds and microseconds that TIME gives, as one number."""
    seconds, microseconds = told
    return round(seconds + microseconds / 1e6, 6)
